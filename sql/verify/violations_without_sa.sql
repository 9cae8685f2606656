-- violations(tbl, qi, k := …): the classes of fewer than k people, and how many are missing. No row: the table passes.
SELECT
    qi,
    sizes.size,
    CAST(NULL AS BIGINT) AS distinct_values,
    CAST(NULL AS BIGINT) AS top_count,
    without_nulls('k') AS broken,
    without_nulls(broken_k.by_how_much) AS by_how_much
FROM broken_k
JOIN sizes ON sizes.class = broken_k.class
JOIN keys ON keys.class = broken_k.class
