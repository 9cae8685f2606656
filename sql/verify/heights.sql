-- heights: the values of each class, most frequent first.
SELECT class, people AS height, row_number() OVER (PARTITION BY class ORDER BY people DESC) AS rank
FROM cells
