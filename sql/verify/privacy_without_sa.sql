-- privacy(tbl, qi): one row. Without a sensitive attribute, k is the only measure.
SELECT
    CAST(coalesce(sum(certain), 0) AS BIGINT) AS "rows",
    count(*) AS classes,
    min(size) AS k,
    CAST(NULL AS BIGINT) AS distinct_l,
    CAST(NULL AS DOUBLE) AS frequency_l,
    CAST(NULL AS DOUBLE) AS entropy_l,
    CAST(NULL AS BIGINT) AS unique_distinct_l,
    CAST(NULL AS DOUBLE) AS t,
    CAST(NULL AS DOUBLE) AS t_ordered,
    CAST(NULL AS DOUBLE) AS alpha,
    CAST(NULL AS DOUBLE) AS basic_beta,
    CAST(NULL AS DOUBLE) AS enhanced_beta,
    CAST(NULL AS DOUBLE) AS delta_disclosure
FROM sizes
