-- cells: per class and sensitive value, the people and the rows that have it, and those rows that are no wildcard match; here, every
-- row is a person. NULL is a value.
SELECT class, value, count(*) AS people, count(*) AS n, own_rows() AS own
FROM members
GROUP BY class, value
