-- ends: the first and the last rank of each run, below l, and what the values up to it take together. What (tau,l)-diversity asks is
-- hardest at one of them, as frequencies in between are the same; from rank l on, it allows everything.
SELECT class, distinct_values, first_rank AS rank, taken_before + frequency AS cumulative
FROM runs
WHERE first_rank < bound('l')
UNION ALL
SELECT
    class, distinct_values, least(last_rank, bound('l') - 1),
    taken_before + (least(last_rank, bound('l') - 1) - first_rank + 1) * frequency
FROM runs
WHERE first_rank < bound('l')
