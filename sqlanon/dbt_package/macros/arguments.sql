{# Ends the run with an error of sqlanon. #}
{% macro refuse(code, message) %}
    {{ exceptions.raise_compiler_error('[' ~ code ~ '] ' ~ message) }}
{% endmacro %}

{# Checks the columns of a test, and returns them quoted: the quasi-identifiers, then the sensitive column if any. #}
{% macro checked_columns(model, quasi_identifiers, sensitive_column=[]) %}
    {% do sqlanon.check_names('quasi_identifiers', quasi_identifiers) %}
    {% if not quasi_identifiers %}
        {{ sqlanon.refuse('SA102', 'quasi_identifiers must name a column.') }}
    {% endif %}
    {% set sensitive = [sensitive_column] if sensitive_column is string else sensitive_column %}
    {% if sensitive != [] and sensitive_column is not string %}
        {{ sqlanon.refuse('SA102', 'sensitive_column must be the name of a column.') }}
    {% endif %}
    {% do sqlanon.check_names('quasi_identifiers and sensitive_column', quasi_identifiers + sensitive) %}
    {{ return(sqlanon.columns_of(model, quasi_identifiers + sensitive)) }}
{% endmacro %}

{% macro check_names(argument, names) %}
    {% if names is string or names is mapping or names is not iterable or names | reject('string') | list %}
        {{ sqlanon.refuse('SA102', argument ~ ' must be a list of column names.') }}
    {% elif names | map('lower') | unique | list | length < names | length %}
        {{ sqlanon.refuse('SA101', argument ~ ' name a column twice.') }}
    {% endif %}
{% endmacro %}

{% macro check_number(argument, value, low, high=none, whole=false) %}
    {% if value is not number or value is boolean or (whole and value is not integer) %}
        {{ sqlanon.refuse('SA102', argument ~ ' must be a ' ~ ('whole ' if whole else '') ~ 'number.') }}
    {% elif not (value >= low and (high is none or value <= high)) %}
        {% set range = 'starts at ' ~ low if high is none else 'goes from ' ~ low ~ ' to ' ~ high %}
        {{ sqlanon.refuse('SA102', argument ~ ' = ' ~ value ~ ' is out of range. It ' ~ range ~ '.') }}
    {% endif %}
{% endmacro %}
