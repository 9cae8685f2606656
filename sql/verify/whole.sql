-- whole: one row: all rows and the number of sensitive values.
SELECT CAST(coalesce(sum(n), 0) AS BIGINT) AS total, count(*) AS distinct_values
FROM spread
