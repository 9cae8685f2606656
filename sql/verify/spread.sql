-- spread: the sensitive values of the whole table: rows, position in their order (NULL last), rows up to and including it,
-- and surprise, the -ln of their share.
SELECT
    value,
    n,
    row_number() OVER (ORDER BY missing ASC, value ASC) AS position,
    CAST(sum(n) OVER (ORDER BY missing ASC, value ASC ROWS UNBOUNDED PRECEDING) AS BIGINT) AS running,
    ln(real(sum(n) OVER ()) / real(n)) AS surprise
FROM (
    SELECT value, CASE WHEN value IS NULL THEN 1 ELSE 0 END AS missing, count(*) AS n FROM records GROUP BY value
) AS counted
