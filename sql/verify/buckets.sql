-- buckets(tbl, sa): the sensitive values, largest first: value, count, share, rank.
SELECT
    value,
    n AS "count",
    real(n) / real(sum(n) OVER ()) AS share,
    row_number() OVER (ORDER BY n DESC, position ASC) AS rank
FROM spread
ORDER BY rank ASC
