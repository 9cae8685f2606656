-- sizes: per class, its people (here, every row is a person), its rows, and those of them that are certainly in it, and no
-- match of a wildcard. They are summed up from cells, which are fewer than rows.
SELECT
    class,
    CAST(sum(people) AS BIGINT) AS size,
    CAST(sum(n) AS BIGINT) AS n,
    CAST(sum(certain) AS BIGINT) AS certain
FROM cells
GROUP BY class
