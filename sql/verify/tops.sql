-- tops: per class, its people, and those who have its most frequent value.
SELECT cells.class, max(sizes.size) AS size, max(cells.people) AS top_count
FROM cells
JOIN sizes ON sizes.class = cells.class
GROUP BY cells.class
