-- violations(tbl, qi, sa, k, l, entropy_l, t, c): the classes that break a given bound, and which, and by how much. No row:
-- the table passes. A class holds k if size >= k; l if size / top_count >= l; entropy_l if exp(entropy) >= entropy_l;
-- t if t_distance <= t; c, with l, if top / tail < c (recursive (c,l)-diversity).
SELECT qi, size, distinct_values, top_count, broken, by_how_much
FROM (
    SELECT
        keys.*, classes.size, classes.distinct_values, classes.top_count,
        without_nulls(
            CASE WHEN classes.size < bound('k') THEN 'k' END,
            CASE WHEN real(classes.size) / real(classes.top_count) < real(bound('l')) THEN 'l' END,
            CASE WHEN classes.entropy_l < real(bound('entropy_l')) THEN 'entropy_l' END,
            CASE WHEN classes.t_distance > real(bound('t')) THEN 't' END,
            CASE WHEN tails.ratio >= real(bound('c')) THEN 'c' END
        ) AS broken,
        without_nulls(
            CASE WHEN classes.size < bound('k') THEN real(bound('k') - classes.size) END,
            CASE WHEN real(classes.size) / real(classes.top_count) < real(bound('l'))
                THEN real(bound('l')) - real(classes.size) / real(classes.top_count) END,
            CASE WHEN classes.entropy_l < real(bound('entropy_l')) THEN real(bound('entropy_l')) - classes.entropy_l END,
            CASE WHEN classes.t_distance > real(bound('t')) THEN classes.t_distance - real(bound('t')) END,
            CASE WHEN tails.ratio >= real(bound('c')) THEN tails.ratio - real(bound('c')) END
        ) AS by_how_much
    FROM classes
    JOIN keys ON keys.class = classes.class
    JOIN tails ON tails.class = classes.class
) AS judged
WHERE length(broken) > 0
