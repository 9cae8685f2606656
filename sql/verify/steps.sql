-- steps: per class that may be the farthest, the values it has in their order: the rows of each, the rows so far, and the
-- position before the next value that it has.
SELECT
    cells.class,
    sizes.n AS size,
    spread.position,
    cells.n,
    CAST(sum(cells.n) OVER (
        PARTITION BY cells.class ORDER BY spread.position ASC ROWS UNBOUNDED PRECEDING
    ) AS BIGINT) AS so_far,
    coalesce(
        lead(spread.position) OVER (PARTITION BY cells.class ORDER BY spread.position ASC), whole.distinct_values + 1
    ) - 1 AS upto
FROM cells
JOIN farthest ON farthest.class = cells.class
JOIN sizes ON sizes.class = cells.class
JOIN spread ON same(spread.value, cells.value)
CROSS JOIN whole
