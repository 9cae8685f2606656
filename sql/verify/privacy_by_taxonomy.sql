-- privacy(tbl, qi, sa, taxonomy := {sa: …}): as privacy, and t_hierarchical, the largest distance by the taxonomy.
SELECT
    privacy.*,
    CASE WHEN leafless.n > 0 THEN without_leaf(leafless.n) ELSE (SELECT max(distance) FROM t_hierarchical) END AS t_hierarchical
FROM privacy
CROSS JOIN leafless
