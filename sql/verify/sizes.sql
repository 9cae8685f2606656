-- sizes: per class, its people (rows, or distinct entities) and its rows.
SELECT class, people() AS size, count(*) AS n
FROM members
GROUP BY class
