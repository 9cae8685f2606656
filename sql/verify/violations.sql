-- violations(tbl, qi, sa, k, l, entropy_l, t, c): the classes that break a given bound, and which, and by how much. No row:
-- the table passes. A class holds k if size >= k; l if top_count <= size / l; entropy_l if exp(entropy) >= entropy_l;
-- t if t_distance <= t; c, with l, if top < c * tail (recursive (c,l)-diversity).
SELECT qi, size, distinct_values, top_count, broken, by_how_much
FROM (
    SELECT
        keys.*, classes.size, classes.distinct_values, classes.top_count,
        without_nulls(
            CASE WHEN classes.size < bound('k') THEN 'k' END,
            CASE WHEN classes.top_count * bound('l') > classes.size THEN 'l' END,
            CASE WHEN classes.entropy_l < bound('entropy_l') THEN 'entropy_l' END,
            CASE WHEN classes.t_distance > bound('t') THEN 't' END,
            CASE WHEN NOT tails.top < bound('c') * tails.tail THEN 'c' END
        ) AS broken,
        without_nulls(
            CASE WHEN classes.size < bound('k') THEN real(bound('k') - classes.size) END,
            CASE WHEN classes.top_count * bound('l') > classes.size
                THEN bound('l') - real(classes.size) / real(classes.top_count) END,
            CASE WHEN classes.entropy_l < bound('entropy_l') THEN bound('entropy_l') - classes.entropy_l END,
            CASE WHEN classes.t_distance > bound('t') THEN classes.t_distance - bound('t') END,
            CASE WHEN NOT tails.top < bound('c') * tails.tail
                THEN CASE WHEN tails.tail = 0 THEN infinity() ELSE real(tails.top) / real(tails.tail) - bound('c') END
            END
        ) AS by_how_much
    FROM classes
    JOIN keys ON keys.class = classes.class
    JOIN tails ON tails.class = classes.class
) AS judged
WHERE len(broken) > 0
