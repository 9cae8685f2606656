-- frequency_counts: per class, its induced frequencies, and how many base values (size) have each: one line for a base value that is
-- in narrow_cells, and one for all others of a kind.
SELECT counted.class, counted.size, counted.n / real(sizes.n) AS frequency
FROM (
    SELECT narrow_cells.class, 1 AS size, narrow_cells.n + coalesce(kind_cells.n, 0) AS n
    FROM narrow_cells
    LEFT JOIN kind_cells ON kind_cells.class = narrow_cells.class AND kind_cells.kind = narrow_cells.kind
    UNION ALL
    SELECT kind_cells.class, kind_cells.size - coalesce(named.size, 0), kind_cells.n
    FROM kind_cells
    LEFT JOIN (
        SELECT class, kind, count(*) AS size FROM narrow_cells WHERE NOT kind IS NULL GROUP BY class, kind
    ) AS named ON named.class = kind_cells.class AND named.kind = kind_cells.kind
) AS counted
JOIN sizes ON sizes.class = counted.class
WHERE counted.size > 0
