-- kind_cells: per class and kind: how many base values are of that kind, and the rows that each of them has by wide published values.
SELECT cells.class, kind_shares.kind, min(kind_shares.size) AS size, real(sum(exact(cells.n * kind_shares.share))) AS n
FROM cells
JOIN kind_shares ON same(kind_shares.label, cells.value)
GROUP BY cells.class, kind_shares.kind
