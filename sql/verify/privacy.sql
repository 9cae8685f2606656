-- privacy(tbl, qi, sa): one row, the weakest class by each measure. With q and p as in classes:
--   k                 smallest class                        distinct_l        fewest values in a class
--   frequency_l       smallest size / top_count             entropy_l         exp of the smallest entropy
--   unique_distinct_l l if every class has l values, each once, else NULL
--   t, t_ordered      largest distance to the whole table, all values equally far apart, or one step apart (NULL for text)
--   alpha             largest top_count / size
--   basic_beta        largest (q - p) / p                   enhanced_beta     the same; NULL if a share rises beyond its -ln p
--   delta_disclosure  largest |ln(q / p)|; infinite where a class lacks a value of the table
SELECT
    max(whole.total) AS "rows",
    count(classes.class) AS classes,
    min(classes.size) AS k,
    min(classes.distinct_values) AS distinct_l,
    min(real(classes.size) / real(classes.top_count)) AS frequency_l,
    min(classes.entropy_l) AS entropy_l,
    CASE WHEN max(classes.top_n) = 1 AND min(classes.n) = max(classes.n) THEN min(classes.n) END AS unique_distinct_l,
    max(classes.t_distance) AS t,
    (SELECT max(distance) FROM t_ordered) AS t_ordered,
    max(real(classes.top_count) / real(classes.size)) AS alpha,
    max(classes.rise) AS basic_beta,
    CASE WHEN max(classes.beyond) = 0 THEN max(classes.rise) END AS enhanced_beta,
    CASE
        WHEN min(classes.distinct_values) < max(whole.distinct_values) THEN infinity()
        ELSE greatest(ln(1 + max(classes.rise)), -ln(min(classes.loss)))
    END AS delta_disclosure
FROM whole
LEFT JOIN classes ON TRUE
