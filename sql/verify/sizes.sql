-- sizes: per class, its people (rows, or distinct entities), those of them that are its own and no wildcard match, and its rows.
SELECT class, people() AS size, own_people() AS own, count(*) AS n
FROM members
GROUP BY class
