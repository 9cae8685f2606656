-- sizes: per class, its people (here, every row is a person), its rows, and those of them that are its own and no wildcard match.
-- They are summed up from cells, which are fewer than rows.
SELECT
    class,
    CAST(sum(people) AS BIGINT) AS size,
    CAST(sum(n) AS BIGINT) AS n,
    CAST(sum(own) AS BIGINT) AS own
FROM cells
GROUP BY class
