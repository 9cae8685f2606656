{#
    Written by sqlanon/dbt_package/generate.py from sql/verify/. Change these, then run it.

    broken_k, broken_l, …: the classes that break a bound, and by how much, as steps that a SELECT can follow:
    WITH … AS (…), broken AS (…). Columns come quoted.
#}

{% macro broken_k(model, qi, k) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
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
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
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

{% macro broken_distinct_l(model, qi, sa, distinct_l) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM records
    GROUP BY
      value
  ) AS counted
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
    CAST({{ distinct_l }} AS {{ sqlanon.double_type() }}) - CAST(distinct_values AS {{ sqlanon.double_type() }}) AS by_how_much
  FROM classes
  WHERE
    CAST(distinct_values AS {{ sqlanon.double_type() }}) < CAST({{ distinct_l }} AS {{ sqlanon.double_type() }})
)
{% endmacro %}

{% macro broken_entropy_l(model, qi, sa, entropy_l) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM records
    GROUP BY
      value
  ) AS counted
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
    CAST({{ entropy_l }} AS {{ sqlanon.double_type() }}) - entropy_l AS by_how_much
  FROM classes
  WHERE
    entropy_l < CAST({{ entropy_l }} AS {{ sqlanon.double_type() }})
)
{% endmacro %}

{% macro broken_t(model, qi, sa, t) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM records
    GROUP BY
      value
  ) AS counted
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

{% macro broken_c(model, qi, sa, l, c) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), heights AS (
  SELECT
    class,
    people AS height,
    ROW_NUMBER() OVER (PARTITION BY class ORDER BY people DESC) AS rank
  FROM cells
), tails AS (
  SELECT
    class,
    CASE
      WHEN MAX(rank) < {{ l }}
      THEN CAST('inf' AS {{ sqlanon.double_type() }})
      ELSE CAST(MAX(height) AS {{ sqlanon.double_type() }}) / CAST(SUM(CASE WHEN rank >= {{ l }} THEN height ELSE 0 END) AS {{ sqlanon.double_type() }})
    END AS ratio
  FROM heights
  GROUP BY
    class
), broken AS (
  SELECT
    class,
    ratio - CAST({{ c }} AS {{ sqlanon.double_type() }}) AS by_how_much
  FROM tails
  WHERE
    ratio >= CAST({{ c }} AS {{ sqlanon.double_type() }})
)
{% endmacro %}

{% macro broken_tau(model, qi, sa, l, tau) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM records
    GROUP BY
      value
  ) AS counted
), whole AS (
  SELECT
    CAST(COALESCE(SUM(n), 0) AS {{ dbt.type_bigint() }}) AS total,
    COUNT(*) AS distinct_values
  FROM spread
), shares AS (
  SELECT
    spread.value AS label,
    spread.value,
    CAST(1 AS {{ sqlanon.double_type() }}) AS share
  FROM spread
  CROSS JOIN whole
  WHERE
    NOT (
      spread.value IN (
        SELECT
          value
        FROM records
        WHERE
          COALESCE(CAST(published AS TEXT) = '*', FALSE)
      )
    )
    OR whole.distinct_values = 1
  UNION ALL
  SELECT
    unknown.value,
    spread.value,
    1.0 / CAST(NULLIF(whole.distinct_values - 1, 0) AS {{ sqlanon.double_type() }})
  FROM spread AS unknown
  CROSS JOIN spread
  CROSS JOIN whole
  WHERE
    (
      unknown.value IN (
        SELECT
          value
        FROM records
        WHERE
          COALESCE(CAST(published AS TEXT) = '*', FALSE)
      )
    )
    AND NOT (
      spread.value IN (
        SELECT
          value
        FROM records
        WHERE
          COALESCE(CAST(published AS TEXT) = '*', FALSE)
      )
    )
), wide AS (
  SELECT
    label,
    ROW_NUMBER() OVER (ORDER BY label ASC) AS number
  FROM shares
  WHERE
    share > 0
  GROUP BY
    label
  HAVING
    COUNT(*) > 16
), kinds AS (
  SELECT
    value,
    DENSE_RANK() OVER (ORDER BY signature ASC) AS kind
  FROM (
    SELECT
      shares.value,
      MIN(shares.share) AS signature
    FROM shares
    JOIN wide
      ON wide.label = shares.label
    WHERE
      shares.share > 0
    GROUP BY
      shares.value
  ) AS described
), narrow_shares AS (
  SELECT
    shares.label,
    shares.value,
    shares.share
  FROM shares
  LEFT JOIN wide
    ON wide.label = shares.label
  WHERE
    shares.share > 0 AND wide.number IS NULL
), narrow_cells AS (
  SELECT
    counted.class,
    counted.n,
    kinds.kind
  FROM (
    SELECT
      cells.class,
      narrow_shares.value,
      CAST(SUM(cells.n * narrow_shares.share) AS {{ sqlanon.double_type() }}) AS n
    FROM cells
    JOIN narrow_shares
      ON narrow_shares.label = cells.value
    GROUP BY
      cells.class,
      narrow_shares.value
  ) AS counted
  LEFT JOIN kinds
    ON kinds.value = counted.value
), kind_shares AS (
  SELECT
    shares.label,
    kinds.kind,
    MIN(shares.share) AS share,
    COUNT(*) AS size
  FROM shares
  JOIN wide
    ON wide.label = shares.label
  JOIN kinds
    ON kinds.value = shares.value
  WHERE
    shares.share > 0
  GROUP BY
    shares.label,
    kinds.kind
), kind_cells AS (
  SELECT
    cells.class,
    kind_shares.kind,
    MIN(kind_shares.size) AS size,
    CAST(SUM(cells.n * kind_shares.share) AS {{ sqlanon.double_type() }}) AS n
  FROM cells
  JOIN kind_shares
    ON kind_shares.label = cells.value
  GROUP BY
    cells.class,
    kind_shares.kind
), frequency_counts AS (
  SELECT
    counted.class,
    counted.size,
    counted.n / CAST(sizes.n AS {{ sqlanon.double_type() }}) AS frequency
  FROM (
    SELECT
      narrow_cells.class,
      1 AS size,
      narrow_cells.n + COALESCE(kind_cells.n, 0) AS n
    FROM narrow_cells
    LEFT JOIN kind_cells
      ON kind_cells.class = narrow_cells.class AND kind_cells.kind = narrow_cells.kind
    UNION ALL
    SELECT
      kind_cells.class,
      kind_cells.size - COALESCE(named.size, 0),
      kind_cells.n
    FROM kind_cells
    LEFT JOIN (
      SELECT
        class,
        kind,
        COUNT(*) AS size
      FROM narrow_cells
      WHERE
        NOT kind IS NULL
      GROUP BY
        class,
        kind
    ) AS named
      ON named.class = kind_cells.class AND named.kind = kind_cells.kind
  ) AS counted
  JOIN sizes
    ON sizes.class = counted.class
  WHERE
    counted.size > 0
), runs AS (
  SELECT
    class,
    frequency,
    distinct_values,
    last_rank - size + 1 AS first_rank,
    last_rank,
    taken - size * frequency AS taken_before
  FROM (
    SELECT
      class,
      frequency,
      size,
      SUM(size) OVER (PARTITION BY class) AS distinct_values,
      SUM(size) OVER (
        PARTITION BY class
        ORDER BY frequency DESC, size ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS last_rank,
      CAST(SUM(size * frequency) OVER (
        PARTITION BY class
        ORDER BY frequency DESC, size ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS {{ sqlanon.double_type() }}) AS taken
    FROM frequency_counts
  ) AS ranked
), ends AS (
  SELECT
    class,
    distinct_values,
    first_rank AS rank,
    taken_before + frequency AS cumulative
  FROM runs
  WHERE
    first_rank < {{ l }}
  UNION ALL
  SELECT
    class,
    distinct_values,
    LEAST(last_rank, {{ l }} - 1),
    taken_before + (
      LEAST(last_rank, {{ l }} - 1) - first_rank + 1
    ) * frequency
  FROM runs
  WHERE
    first_rank < {{ l }}
), allowances AS (
  SELECT
    class,
    cumulative,
    CAST({{ tau }} AS {{ sqlanon.double_type() }}) + (
      1 - CAST({{ tau }} AS {{ sqlanon.double_type() }})
    ) * (
      rank - 1
    ) / CAST({{ l }} - 1 AS {{ sqlanon.double_type() }}) AS allowed
  FROM ends
), broken AS (
  SELECT
    class,
    MAX(cumulative - allowed) AS by_how_much
  FROM allowances
  WHERE
    cumulative > allowed + 1e-9
  GROUP BY
    class
)
{% endmacro %}

{% macro broken_beta(model, qi, sa, beta) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM records
    GROUP BY
      value
  ) AS counted
), whole AS (
  SELECT
    CAST(COALESCE(SUM(n), 0) AS {{ dbt.type_bigint() }}) AS total,
    COUNT(*) AS distinct_values
  FROM spread
), broken AS (
  SELECT
    class,
    MAX(
      rise - CASE
        WHEN surprise < CAST({{ beta }} AS {{ sqlanon.double_type() }})
        THEN surprise
        ELSE CAST({{ beta }} AS {{ sqlanon.double_type() }})
      END
    ) AS by_how_much
  FROM (
    SELECT
      cells.class,
      CAST(cells.n * whole.total - spread.n * sizes.n AS {{ sqlanon.double_type() }}) / CAST(spread.n * sizes.n AS {{ sqlanon.double_type() }}) AS rise,
      spread.surprise,
      cells.n = sizes.n AS alone
    FROM cells
    JOIN sizes
      ON sizes.class = cells.class
    JOIN spread
      ON spread.value = cells.value
    CROSS JOIN whole
    WHERE
      cells.n * whole.total > spread.n * sizes.n
  ) AS rising
  WHERE
    rise > CAST({{ beta }} AS {{ sqlanon.double_type() }}) OR rise > surprise OR alone
  GROUP BY
    class
)
{% endmacro %}

{% macro broken_delta(model, qi, sa, delta) %}
WITH records AS (
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
  FROM records
), cells AS (
  SELECT
    class,
    value,
    COUNT(*) AS people,
    COUNT(*) AS n,
    COUNT(*) AS certain
  FROM members
  GROUP BY
    class,
    value
), sizes AS (
  SELECT
    class,
    CAST(SUM(people) AS {{ dbt.type_bigint() }}) AS size,
    CAST(SUM(n) AS {{ dbt.type_bigint() }}) AS n,
    CAST(SUM(certain) AS {{ dbt.type_bigint() }}) AS certain
  FROM cells
  GROUP BY
    class
), spread AS (
  SELECT
    value,
    n,
    ROW_NUMBER() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(SUM(n) OVER (ORDER BY missing ASC, value ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS {{ dbt.type_bigint() }}) AS running,
    LN(
      CAST(SUM(n) OVER () AS {{ sqlanon.double_type() }}) / CAST(n AS {{ sqlanon.double_type() }})
    ) AS surprise
  FROM (
    SELECT
      value,
      CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing,
      COUNT(*) AS n
    FROM records
    GROUP BY
      value
  ) AS counted
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
    change - CAST({{ delta }} AS {{ sqlanon.double_type() }}) AS by_how_much
  FROM (
    SELECT
      classes.class,
      CASE
        WHEN classes.distinct_values < whole.distinct_values
        THEN CAST('inf' AS {{ sqlanon.double_type() }})
        ELSE GREATEST(LN(1 + classes.rise), -LN(classes.loss))
      END AS change
    FROM classes
    CROSS JOIN whole
  ) AS changed
  WHERE
    change > CAST({{ delta }} AS {{ sqlanon.double_type() }})
)
{% endmacro %}
