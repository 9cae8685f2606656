-- gaps: per sensitive value, its position and the gap: how many positions the rows of the table are away from it on
-- average, those before it and those after it. middle is the average position of all rows. Nothing where values have no
-- order.
SELECT
    value, position,
    (real(position) * (2 * running - total) + all_positions - 2 * positions_so_far) / total AS gap,
    all_positions / total AS middle
FROM (
    SELECT
        value, position, running, whole.total,
        sum(real(n) * position) OVER (ORDER BY position ASC ROWS UNBOUNDED PRECEDING) AS positions_so_far,
        sum(real(n) * position) OVER () AS all_positions
    FROM spread CROSS JOIN whole
    WHERE has_order()
) AS summed
