-- violations(tbl, qi, sa, k, l, entropy_l, t, c, tau): the classes that break a given bound, and which, and by how much. No row:
-- the table passes. What breaks a bound is defined in broken_k, broken_l, …; one that was not given breaks nothing.
SELECT qi, size, distinct_values, top_count, broken, by_how_much
FROM (
    SELECT
        keys.*, classes.size, classes.distinct_values, classes.top_count,
        without_nulls(
            CASE WHEN NOT broken_k.class IS NULL THEN 'k' END,
            CASE WHEN NOT broken_l.class IS NULL THEN 'l' END,
            CASE WHEN NOT broken_entropy_l.class IS NULL THEN 'entropy_l' END,
            CASE WHEN NOT broken_t.class IS NULL THEN 't' END,
            CASE WHEN NOT broken_c.class IS NULL THEN 'c' END,
            CASE WHEN NOT broken_tau.class IS NULL THEN 'tau' END
        ) AS broken,
        without_nulls(
            broken_k.by_how_much, broken_l.by_how_much, broken_entropy_l.by_how_much, broken_t.by_how_much, broken_c.by_how_much,
            broken_tau.by_how_much
        ) AS by_how_much
    FROM classes
    JOIN keys ON keys.class = classes.class
    LEFT JOIN broken_k ON broken_k.class = classes.class
    LEFT JOIN broken_l ON broken_l.class = classes.class
    LEFT JOIN broken_entropy_l ON broken_entropy_l.class = classes.class
    LEFT JOIN broken_t ON broken_t.class = classes.class
    LEFT JOIN broken_c ON broken_c.class = classes.class
    LEFT JOIN broken_tau ON broken_tau.class = classes.class
) AS judged
WHERE length(broken) > 0
