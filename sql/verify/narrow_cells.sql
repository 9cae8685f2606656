-- narrow_cells: per class and base value that is not only in wide published values: its kind, if it is in these, too, and the rows that
-- have it by others.
SELECT counted.class, counted.n, kinds.kind
FROM (
    SELECT cells.class, narrow_shares.value, real(sum(exact(cells.n * narrow_shares.share))) AS n
    FROM cells
    JOIN narrow_shares ON same(narrow_shares.label, cells.value)
    GROUP BY cells.class, narrow_shares.value
) AS counted
LEFT JOIN kinds ON same(kinds.value, counted.value)
