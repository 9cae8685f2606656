-- gaps: per sensitive value, its place and the gap: how many places the rows of the table are away from it on average, those
-- before it and those after it. middle is the average place of all rows. Nothing where values have no order.
SELECT
    value, place,
    (real(place) * (2 * running - total) + all_places - 2 * places) / total AS gap,
    all_places / total AS middle
FROM (
    SELECT
        value, place, running, whole.total,
        sum(real(n) * place) OVER (ORDER BY place ASC ROWS UNBOUNDED PRECEDING) AS places,
        sum(real(n) * place) OVER () AS all_places
    FROM spread CROSS JOIN whole
    WHERE ordered()
) AS summed
