-- whole: one row: all rows, the number of sensitive values, and the rows of the rarest one.
SELECT CAST(coalesce(sum(n), 0) AS BIGINT) AS total, count(*) AS distinct_values, min(n) AS rarest
FROM spread
