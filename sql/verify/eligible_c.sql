-- eligible_c(tbl, sa, l): what the table as a whole allows: rows, distinct_values, c (as recursive_c, with the whole table
-- for its one class; no release can have a smaller one) and min_c, the smallest whole number above it.
SELECT
    max(whole.total) AS "rows",
    max(whole.distinct_values) AS distinct_values,
    CASE WHEN max(ratio) < infinity() THEN max(ratio) END AS c,
    CASE WHEN max(ratio) < infinity() THEN CAST(floor(max(ratio)) AS BIGINT) + 1 END AS min_c
FROM whole LEFT JOIN tails ON TRUE
