-- frequencies: per class and base value that it has, its induced frequency: the mean, over the rows of the class, of its share in what
-- the row publishes (Tian and Zhang 2011, Def. 7).
SELECT cells.class, shares.value, sum(cells.n * shares.share) / real(max(sizes.n)) AS frequency
FROM cells
JOIN sizes ON sizes.class = cells.class
JOIN shares ON same(shares.label, cells.value)
WHERE shares.share > 0
GROUP BY cells.class, shares.value
