-- risk_sizes: per class size, the classes of that size, and the people who are in no smaller class: here, every row is a person.
SELECT size, count(*) AS classes, CAST(sum(certain) AS BIGINT) AS people
FROM sizes
GROUP BY size
