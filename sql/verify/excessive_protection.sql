-- excessive_protection(tbl, qi, sa, tau, l): one row: excess, the least, over the classes, of the sum over all ranks of |allowed - taken|
-- (Def. 35). In a piece it is a row of numbers with even steps that changes its sign once, after `turn` ranks, or not at all. From its last
-- value on, a class takes 1: what is allowed at the ranks from there to l falls short of that by an even amount less each.
SELECT min(differences.excess) AS excess
FROM whole
LEFT JOIN (
    SELECT
        class,
        sum(
            abs(turn * gap + change * turn * (turn - 1) / 2)
            + abs((size - turn) * gap + change * (size * (size - 1) - turn * (turn - 1)) / 2)
        ) + CASE
            WHEN distinct_values < bound('l') THEN
                (1 - real(bound('tau'))) * (bound('l') - distinct_values - 1) * (bound('l') - distinct_values)
                    / real(2 * (bound('l') - 1))
            ELSE 0
        END AS excess
    FROM (
        SELECT
            *, CASE WHEN change = 0 THEN real(size) ELSE least(real(size), greatest(0, floor(-gap / nullif(change, 0)) + 1)) END AS turn
        FROM pieces
    ) AS turned
    GROUP BY class, distinct_values
) AS differences ON TRUE
WHERE enough_base_values(whole.total)
