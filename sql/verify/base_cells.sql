-- base_cells: per class and base value, the rows that have it, where each row counts by the share of the value in what it publishes.
SELECT cells.class, shares.value, real(sum(exact(cells.n * shares.share))) AS n
FROM cells
JOIN shares ON same(shares.label, cells.value)
WHERE shares.share > 0
GROUP BY cells.class, shares.value
