-- sizes: per class, its people (rows, or distinct entities), its rows, and those of them that are its own and no wildcard match.
SELECT class, people() AS size, count(*) AS n, own_rows() AS own
FROM members
GROUP BY class
