-- cells: per class and sensitive value, the people and the rows that have it. NULL is a value.
SELECT class, value, people() AS people, count(*) AS n
FROM members
GROUP BY class, value
