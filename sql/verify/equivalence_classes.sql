-- equivalence_classes(tbl, qi, sa): one row per class.
SELECT qi, classes.size, classes.distinct_values, classes.top_count, classes.entropy, classes.t_distance
FROM classes
JOIN keys ON keys.class = classes.class
