-- equivalence_classes(tbl, qi): one row per class. Without a sensitive attribute, it has a size and no other measure.
SELECT
    qi,
    sizes.size,
    CAST(NULL AS BIGINT) AS distinct_values,
    CAST(NULL AS BIGINT) AS top_count,
    CAST(NULL AS DOUBLE) AS entropy,
    CAST(NULL AS DOUBLE) AS t_distance
FROM sizes
JOIN keys ON keys.class = sizes.class
