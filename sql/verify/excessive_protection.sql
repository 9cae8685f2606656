-- excessive_protection(tbl, qi, sa, tau, l): one row: excess, the least, over the classes, of the sum over all ranks of |allowed - taken|
-- (Def. 35). From its last value on, a class takes 1: what is allowed at the ranks from there to l falls short of that by an even
-- amount less each.
SELECT min(differences.excess) AS excess
FROM whole
LEFT JOIN (
    SELECT
        class,
        sum(abs(allowed - cumulative)) + CASE
            WHEN count(*) < bound('l') THEN
                (1 - real(bound('tau'))) * (bound('l') - count(*) - 1) * (bound('l') - count(*)) / real(2 * (bound('l') - 1))
            ELSE 0
        END AS excess
    FROM allowances
    GROUP BY class
) AS differences ON TRUE
WHERE enough_base_values(whole.total)
