-- cells: per class and sensitive value, the people and the rows that have it, and those rows that are no wildcard match; here, every
-- row is a person. NULL is a value.
SELECT class, value, count(*) AS people, count(*) AS n, certain_rows() AS certain
FROM members
GROUP BY class, value
