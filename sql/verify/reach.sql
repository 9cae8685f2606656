-- reach: per class, limits of its ordered distance, in positions, that can be had without putting its values in order. It
-- is at least the way from the average position of the table to that of the class; it is at most the average gap of the
-- values of the class, which is the way if the table's rows were moved to each value regardless of the others.
SELECT
    cells.class,
    abs(sum(real(cells.n) * gaps.position) / sum(cells.n) - max(gaps.middle)) AS at_least,
    sum(cells.n * gaps.gap) / sum(cells.n) AS at_most
FROM cells
JOIN gaps ON same(gaps.value, cells.value)
GROUP BY cells.class
