-- crossings: for each share so_far / size that occurs, the last position at which the whole table's share is not above it:
-- both kinds of shares in one order, a position before a share that equals it.
SELECT so_far, size, position
FROM (
    SELECT so_far, size, max(position) OVER (ORDER BY share ASC, kind ASC ROWS UNBOUNDED PRECEDING) AS position
    FROM (
        SELECT real(marks.running) / real(whole.total) AS share, 0 AS kind, marks.position,
            CAST(NULL AS BIGINT) AS so_far, CAST(NULL AS BIGINT) AS size
        FROM marks CROSS JOIN whole
        UNION ALL
        SELECT real(so_far) / real(size), 1, CAST(NULL AS BIGINT), so_far, size
        FROM (SELECT DISTINCT so_far, size FROM steps) AS shares
    ) AS merged
) AS in_order
WHERE NOT so_far IS NULL
