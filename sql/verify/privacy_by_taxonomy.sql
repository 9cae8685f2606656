-- privacy(tbl, qi, sa, taxonomy := {sa: …}): as privacy, and t_hierarchical, the largest distance by the taxonomy.
SELECT privacy.*, (SELECT max(distance) FROM t_hierarchical) AS t_hierarchical
FROM privacy
