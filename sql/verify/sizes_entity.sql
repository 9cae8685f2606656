-- sizes, with entities: people are counted once per class. Rows without an entity are one person together: k can only come out
-- too small. Not count(DISTINCT person): some DuckDB versions forget the collation of the column there.
SELECT class, count(*) AS size, CAST(sum(n) AS BIGINT) AS n, CAST(sum(certain) AS BIGINT) AS certain
FROM (SELECT class, person, count(*) AS n, certain_rows() AS certain FROM members GROUP BY class, person) AS persons
GROUP BY class
