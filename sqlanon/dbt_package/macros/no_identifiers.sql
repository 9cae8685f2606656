{#
    A generic test: fails with the number of columns that should not be published. These are those in `identifiers`,
    whatever they hold, and those with two values or more of which none occurs twice, so that each is somebody's own: an
    e-mail address, a record number. Columns in `allowed` may be so. It answers with the names of columns.
#}
{% test no_identifiers(model, identifiers=[], allowed=[]) %}
    {% do sqlanon.check_names('identifiers', identifiers) %}
    {% do sqlanon.check_names('allowed', allowed) %}
    {% set listed, others = [], [] %}
    {% for column in sqlanon.existing_columns(model) %}
        {% if column | lower in identifiers | map('lower') | list %}
            {% do listed.append(column) %}
        {% elif column | lower not in allowed | map('lower') | list %}
            {% do others.append(column) %}
        {% endif %}
    {% endfor %}
    {{ sqlanon.identifying_columns(model, listed, others) }}
{% endtest %}

{# The columns that are listed, and those of the others in which no value occurs twice. #}
{% macro identifying_columns(model, listed, others) %}
WITH counted AS (
  SELECT
    {% for column in others -%}
    COUNT({{ sqlanon.quoted(column) }}) AS filled_{{ loop.index }},
    COUNT(DISTINCT {{ sqlanon.quoted(column) }}) AS different_{{ loop.index }},
    {% endfor -%}
    COUNT(*) AS n
  FROM {{ model }}
)
SELECT CAST(NULL AS {{ dbt.type_string() }}) AS column_name, CAST(NULL AS {{ dbt.type_string() }}) AS reason
FROM counted
WHERE n < 0
{%- for column in listed %}
UNION ALL
SELECT {{ dbt.string_literal(dbt.escape_single_quotes(column)) }}, 'is an identifier' FROM counted
{%- endfor %}
{%- for column in others %}
UNION ALL
SELECT {{ dbt.string_literal(dbt.escape_single_quotes(column)) }}, 'no value occurs twice' FROM counted
WHERE filled_{{ loop.index }} > 1 AND different_{{ loop.index }} = filled_{{ loop.index }}
{%- endfor %}
{% endmacro %}
