{#
    A model, source or query as the argument of a function of sqlanon: a text in quotes. What a `ref` stands for is a
    subquery as soon as dbt puts a condition inside, for microbatches, --sample and --empty:

        ldiverse({{ sqlanon.table(ref('patients')) }}, ['age'], 'disease', 3)
#}
{% macro table(source) %}
    {%- set reference = source | string -%}
    {%- if reference.startswith('(') -%}{%- set reference = 'SELECT * FROM ' ~ reference -%}{%- endif -%}
    {{- "'" ~ (reference | replace("'", "''")) ~ "'" -}}
{% endmacro %}
