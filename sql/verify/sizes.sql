-- sizes: per class, its people (here, every row is a person), its rows, and those of them that are its own and no wildcard match.
SELECT class, count(*) AS size, count(*) AS n, own_rows() AS own
FROM members
GROUP BY class
