-- broken_beta: the classes in which a share rises by more than enhanced beta-likeness allows: with q and p as in classes, where
-- (q - p) / p > min(beta, -ln p), which a value that is alone in its class always is. By how much at most.
SELECT class, max(rise - CASE WHEN surprise < real(bound('beta')) THEN surprise ELSE real(bound('beta')) END) AS by_how_much
FROM (
    SELECT
        cells.class,
        real(cells.n * whole.total - spread.n * sizes.n) / real(spread.n * sizes.n) AS rise,
        spread.surprise,
        cells.n = sizes.n AS alone
    FROM cells
    JOIN sizes ON sizes.class = cells.class
    JOIN spread ON same(spread.value, cells.value)
    CROSS JOIN whole
    WHERE cells.n * whole.total > spread.n * sizes.n
) AS rising
WHERE rise > real(bound('beta')) OR rise > surprise OR alone
GROUP BY class
