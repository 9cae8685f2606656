-- cells, with entities: people are counted once per class and value, as in sizes.
SELECT class, value, count(*) AS people, CAST(sum(n) AS BIGINT) AS n
FROM (SELECT class, value, person, count(*) AS n FROM members GROUP BY class, value, person) AS persons
GROUP BY class, value
