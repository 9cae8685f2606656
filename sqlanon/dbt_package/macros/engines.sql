{# What engines call a number of 64 bits with a fraction. dbt.type_float() has 32 bits in some of them. #}
{% macro double_type() %}{{ return(adapter.dispatch('double_type', 'sqlanon')()) }}{% endmacro %}

{% macro default__double_type() %}{{ return('DOUBLE PRECISION') }}{% endmacro %}

{% macro bigquery__double_type() %}{{ return('FLOAT64') }}{% endmacro %}

{% macro spark__double_type() %}{{ return('DOUBLE') }}{% endmacro %}

{% macro databricks__double_type() %}{{ return('DOUBLE') }}{% endmacro %}
