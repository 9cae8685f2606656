-- steps: per class, the values it has in their order: the rows so far, and the place before the next value that it has.
SELECT
    cells.class,
    sizes.n AS size,
    spread.place,
    CAST(sum(cells.n) OVER (
        PARTITION BY cells.class ORDER BY spread.place ASC ROWS UNBOUNDED PRECEDING
    ) AS BIGINT) AS so_far,
    coalesce(lead(spread.place) OVER (PARTITION BY cells.class ORDER BY spread.place ASC), whole.distinct_values + 1) - 1 AS upto,
    row_number() OVER (PARTITION BY cells.class ORDER BY spread.place ASC) AS number
FROM cells
JOIN sizes ON sizes.class = cells.class
JOIN spread ON same(spread.value, cells.value)
CROSS JOIN whole
WHERE ordered()
