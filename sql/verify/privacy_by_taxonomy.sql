-- privacy(tbl, qi, sa, taxonomy := {sa: …}): as privacy, and t_hierarchical, the largest distance by the taxonomy.
SELECT
    privacy.*,
    CASE
        WHEN (
            SELECT count(*) FROM spread
            WHERE NOT value IS NULL AND NOT CAST(value AS VARCHAR) IN (SELECT path[1] FROM sensitive_paths)
        ) > 0
        THEN error('[SA105] the taxonomy of the sensitive attribute does not cover the data. Leaves are matched by their text.')
        WHEN (
            SELECT count(*) FROM (
                SELECT level FROM nodes WHERE NOT leaf IS NULL GROUP BY level, node HAVING count(DISTINCT parent) > 1
            ) AS torn
        ) > 0 OR (SELECT count(DISTINCT path[-1]) FROM sensitive_paths) > 1
        THEN error('[SA105] the taxonomy of the sensitive attribute is not a tree: a label has two parents, or there are two roots.')
        ELSE (SELECT max(distance) FROM t_hierarchical)
    END AS t_hierarchical
FROM privacy
