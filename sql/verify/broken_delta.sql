-- broken_delta: the classes in which the logarithm of a share changes by more than delta; by any amount where a class lacks a value of
-- the table.
SELECT class, change - real(bound('delta')) AS by_how_much
FROM (
    SELECT
        classes.class,
        CASE
            WHEN classes.distinct_values < whole.distinct_values THEN infinity()
            ELSE greatest(ln(1 + classes.rise), -ln(classes.loss))
        END AS change
    FROM classes
    CROSS JOIN whole
) AS changed
WHERE change > real(bound('delta'))
