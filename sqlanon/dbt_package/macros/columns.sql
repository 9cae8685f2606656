{# Columns of a model as its engine spells them, quoted. Names may differ in case: engines fold it in different ways. #}
{% macro columns_of(model, names) %}
    {% set existing = sqlanon.existing_columns(model) %}
    {% set spelled = {} %}
    {% for column in existing %}{% do spelled.update({column | lower: column}) %}{% endfor %}
    {% set columns = [] %}
    {% for name in names %}
        {% if existing and name | lower not in spelled %}
            {{ sqlanon.refuse('SA101', 'the model has no column ' ~ name ~ '.') }}
        {% endif %}
        {% do columns.append(sqlanon.quoted(name if name in existing else spelled.get(name | lower, name))) %}
    {% endfor %}
    {{ return(columns) }}
{% endmacro %}

{# The names of all columns of a model. None while dbt only parses, or if the model was never built. #}
{% macro existing_columns(model) %}
    {% if not execute %}
        {{ return([]) }}
    {% elif model is string %} {# the test has a `where`, and the model is a subquery #}
        {{ return(get_columns_in_query('SELECT * FROM ' ~ model)) }}
    {% endif %}
    {{ return(adapter.get_columns_in_relation(model) | map(attribute='name') | list) }}
{% endmacro %}

{# A name between the quotes of the engine, which are doubled inside. #}
{% macro quoted(name) %}
    {% set quote = adapter.quote('')[0] %}
    {{ return(adapter.quote(name | replace(quote, quote ~ quote))) }}
{% endmacro %}

{# "age" AS qi_1, "zip" AS qi_2: columns under names of ours. #}
{% macro quasi_identifiers(qi) %}
    {%- for column in qi %}{{ column }} AS qi_{{ loop.index }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}

{# qi_1, qi_2 #}
{% macro numbered_columns(qi) %}
    {%- for _ in qi %}qi_{{ loop.index }}{{ ', ' if not loop.last }}{% endfor %}
{%- endmacro %}
