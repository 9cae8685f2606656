-- broken_distinct_l: the classes of fewer than distinct_l sensitive values, and how many are missing.
SELECT class, real(bound('distinct_l')) - real(distinct_values) AS by_how_much
FROM classes
WHERE real(distinct_values) < real(bound('distinct_l'))
