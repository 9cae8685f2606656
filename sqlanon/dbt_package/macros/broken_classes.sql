{#
    Written by sqlanon/dbt_package/generate.py from sql/verify/. Change these, then run it.

    broken_k, broken_l, broken_t: the classes that break a bound, and by how much, as steps that a SELECT can follow:
    WITH … AS (…), broken AS (…). Columns come quoted.
#}

{% macro broken_k(model, qi, k) %}
WITH given AS (
  SELECT
    {{ sqlanon.numbered_columns(qi) }},
    value AS published,
    DENSE_RANK() OVER (ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END ASC, value ASC) AS value,
    DENSE_RANK() OVER (ORDER BY {{ sqlanon.numbered_columns(qi) }}) AS class
  FROM (
    SELECT
      {{ sqlanon.quasi_identifiers(qi) }},
      0 AS value
    FROM {{ model }}
  ) AS unranked
), members AS (
  SELECT
    class,
    value
  FROM given
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS own
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(own) AS {{ dbt.type_bigint() }}) AS own
  FROM cells
  GROUP BY
    class
), broken AS (
  SELECT
    class,
    CAST({{ k }} - size AS {{ sqlanon.double_type() }}) AS by_how_much
  FROM sizes
  WHERE
    size < {{ k }}
)
{% endmacro %}

{% macro broken_l(model, qi, sa, l) %}
WITH given AS (
  SELECT
    {{ sqlanon.numbered_columns(qi) }},
    value AS published,
    DENSE_RANK() OVER (ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END ASC, value ASC) AS value,
    DENSE_RANK() OVER (ORDER BY {{ sqlanon.numbered_columns(qi) }}) AS class
  FROM (
    SELECT
      {{ sqlanon.quasi_identifiers(qi) }},
      {{ sa }} AS value
    FROM {{ model }}
  ) AS unranked
), members AS (
  SELECT
    class,
    value
  FROM given
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS own
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(own) AS {{ dbt.type_bigint() }}) AS own
  FROM cells
  GROUP BY
    class
), tops AS (
  SELECT
    cells.class,
    MAX(sizes.size) AS size,
    MAX(cells.people) AS top_count
  FROM cells
  JOIN sizes
    ON sizes.class = cells.class
  GROUP BY
    cells.class
), broken AS (
  SELECT
    class,
    CAST({{ l }} AS {{ sqlanon.double_type() }}) - CAST(size AS {{ sqlanon.double_type() }}) / CAST(top_count AS {{ sqlanon.double_type() }}) AS by_how_much
  FROM tops
  WHERE
    CAST(size AS {{ sqlanon.double_type() }}) / CAST(top_count AS {{ sqlanon.double_type() }}) < CAST({{ l }} AS {{ sqlanon.double_type() }})
)
{% endmacro %}

{% macro broken_t(model, qi, sa, t) %}
WITH given AS (
  SELECT
    {{ sqlanon.numbered_columns(qi) }},
    value AS published,
    DENSE_RANK() OVER (ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END ASC, value ASC) AS value,
    DENSE_RANK() OVER (ORDER BY {{ sqlanon.numbered_columns(qi) }}) AS class
  FROM (
    SELECT
      {{ sqlanon.quasi_identifiers(qi) }},
      {{ sa }} AS value
    FROM {{ model }}
  ) AS unranked
), members AS (
  SELECT
    class,
    value
  FROM given
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS own
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(own) AS {{ dbt.type_bigint() }}) AS own
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS place,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM given
    GROUP BY
      value
  ) AS found
), whole AS (
  SELECT
    CAST(COALESCE(SUM(n), 0) AS {{ dbt.type_bigint() }}) AS total,
    COUNT(*) AS distinct_values
  FROM spread
), classes AS (
  SELECT
    class,
    size,
    distinct_values,
    top_count,
    n,
    top_n,
    entropy,
    CASE
      WHEN uniform
      THEN CAST(distinct_values AS {{ sqlanon.double_type() }})
      WHEN ABS(EXP(entropy) - ROUND(EXP(entropy))) < 1e-12 * EXP(entropy)
      THEN ROUND(EXP(entropy))
      ELSE EXP(entropy)
    END AS entropy_l,
    t_distance,
    rise,
    loss,
    beyond
  FROM (
    SELECT
      cells.class,
      sizes.size,
      sizes.n,
      COUNT(*) AS distinct_values,
      MAX(cells.people) AS top_count,
      MAX(cells.n) AS top_n,
      MIN(cells.n) = MAX(cells.n) AS uniform,
      CASE
        WHEN MIN(cells.n) = MAX(cells.n)
        THEN LN(CAST(COUNT(*) AS {{ sqlanon.double_type() }}))
        ELSE LN(CAST(sizes.n AS {{ sqlanon.double_type() }})) - CAST(SUM(cells.n * LN(CAST(cells.n AS {{ sqlanon.double_type() }}))) AS {{ sqlanon.double_type() }}) / CAST(sizes.n AS {{ sqlanon.double_type() }})
      END AS entropy,
      CAST(SUM(ABS(cells.n * whole.total - spread.n * sizes.n)) + sizes.n * (
        whole.total - SUM(spread.n)
      ) AS {{ sqlanon.double_type() }}) / CAST(2 * sizes.n * whole.total AS {{ sqlanon.double_type() }}) AS t_distance,
      MAX(
        CAST(cells.n * whole.total - spread.n * sizes.n AS {{ sqlanon.double_type() }}) / CAST(spread.n * sizes.n AS {{ sqlanon.double_type() }})
      ) AS rise,
      MIN(
        CAST(cells.n * whole.total AS {{ sqlanon.double_type() }}) / CAST(spread.n * sizes.n AS {{ sqlanon.double_type() }})
      ) AS loss,
      MAX(
        CASE
          WHEN cells.n * whole.total <= spread.n * sizes.n
          THEN 0
          WHEN cells.n = sizes.n
          THEN 1
          WHEN CAST(cells.n * whole.total - spread.n * sizes.n AS {{ sqlanon.double_type() }}) / CAST(spread.n * sizes.n AS {{ sqlanon.double_type() }}) > spread.surprise
          THEN 1
          ELSE 0
        END
      ) AS beyond
    FROM cells
    JOIN sizes
      ON sizes.class = cells.class
    JOIN spread
      ON spread.value = cells.value
    CROSS JOIN whole
    GROUP BY
      cells.class,
      sizes.size,
      sizes.n,
      whole.total
  ) AS measured
), broken AS (
  SELECT
    class,
    t_distance - CAST({{ t }} AS {{ sqlanon.double_type() }}) AS by_how_much
  FROM classes
  WHERE
    t_distance > CAST({{ t }} AS {{ sqlanon.double_type() }})
)
{% endmacro %}
