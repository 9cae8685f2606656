-- frequencies: per class and base value that it has, its induced frequency: the mean, over the rows of the class, of its share in what
-- the row publishes (Tian and Zhang 2011, Def. 7).
SELECT base_cells.class, base_cells.value, base_cells.n / real(sizes.n) AS frequency
FROM base_cells
JOIN sizes ON sizes.class = base_cells.class
