-- t_ordered: per class that may be the farthest, the earth mover's distance to the whole table with values one step apart:
--   sum over the positions i of |Q(i) - P(i)| / (values - 1), Q and P the running shares of the class and of the table.
-- From one value of a class to the next, Q is constant while P grows: below until the crossing, above from there. So a
-- stretch of positions is summed at once, as the difference of two areas, of the running rows. Every mark is there; LEFT
-- JOIN keeps some versions of DuckDB from pairing all marks with each other first.
SELECT
    class,
    CASE WHEN max(distinct_values) = 1 THEN 0.0
    ELSE real(sum(whole_number(before + below + above))) / (real(max(size)) * max(total) * (max(distinct_values) - 1)) END AS distance
FROM (
    SELECT
        steps.class, steps.size, whole.total, whole.distinct_values,
        CASE WHEN steps.so_far = steps.n THEN real(steps.size) * opening.area ELSE 0 END AS before,
        real(turn.position - opening.position) * steps.so_far * whole.total - real(steps.size) * (turn.area - opening.area) AS below,
        real(steps.size) * (closing.area - turn.area) - real(closing.position - turn.position) * steps.so_far * whole.total AS above
    FROM steps
    CROSS JOIN whole
    JOIN crossings ON crossings.so_far = steps.so_far AND crossings.size = steps.size
    LEFT JOIN marks AS opening ON opening.position = steps.position - 1
    LEFT JOIN marks AS closing ON closing.position = steps.upto
    LEFT JOIN marks AS turn ON turn.position = least(greatest(crossings.position, steps.position - 1), steps.upto)
) AS stretches
GROUP BY class
