{#
    What a test answers, after the steps of broken_k, …: by size, how many classes break the bound. These are counts,
    so that `store_failures` keeps nothing about anybody. With sample_limit, so many classes, the worst first, with
    their quasi-identifiers. Every row has the number of all violating classes.
#}
{% macro violating_classes(bound, qi, sample_limit) %}
    {% if sample_limit is none %}
        {{ sqlanon.counted_classes(bound) }}
    {% else %}
        {% do sqlanon.check_number('sample_limit', sample_limit, 1, whole=true) %}
        {{ sqlanon.worst_classes(bound, qi, sample_limit) }}
    {% endif %}
{% endmacro %}

{% macro counted_classes(bound) %}
SELECT
  '{{ bound }}' AS broken,
  sizes.size AS class_size,
  COUNT(*) AS classes,
  CAST(SUM(COUNT(*)) OVER () AS {{ dbt.type_bigint() }}) AS violating_classes
FROM broken
JOIN sizes
  ON sizes.class = broken.class
GROUP BY
  sizes.size
{% endmacro %}

{% macro worst_classes(bound, qi, sample_limit) %}
SELECT
  {% for column in qi %}qi_{{ loop.index }} AS {{ column }}, {% endfor %}
  '{{ bound }}' AS broken,
  by_how_much,
  class_size,
  violating_classes
FROM (
  SELECT
    keys.*,
    broken.by_how_much,
    sizes.size AS class_size,
    COUNT(*) OVER () AS violating_classes,
    ROW_NUMBER() OVER (ORDER BY broken.by_how_much DESC, broken.class) AS position
  FROM broken
  JOIN sizes
    ON sizes.class = broken.class
  JOIN (SELECT DISTINCT class, {{ sqlanon.numbered_columns(qi) }} FROM records) AS keys
    ON keys.class = broken.class
) AS ranked
WHERE
  position <= {{ sample_limit }}
{% endmacro %}
