-- cells: per class and sensitive value, the people and the rows that have it; here, every row is a person. NULL is a value.
SELECT class, value, count(*) AS people, count(*) AS n
FROM members
GROUP BY class, value
