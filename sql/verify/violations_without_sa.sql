-- violations(tbl, qi, k := …): the classes of fewer than k people, and how many are missing. No row: the table passes.
SELECT
    qi,
    sizes.size,
    CAST(NULL AS BIGINT) AS distinct_values,
    CAST(NULL AS BIGINT) AS top_count,
    without_nulls('k') AS broken,
    without_nulls(real(bound('k') - sizes.size)) AS by_how_much
FROM sizes
JOIN keys ON keys.class = sizes.class
WHERE sizes.size < bound('k')
