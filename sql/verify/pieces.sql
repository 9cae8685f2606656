-- pieces: runs, cut before rank l; gap is what (tau,l)-diversity allows less what is taken at the first of their ranks, and change by how
-- much it is more at each further rank.
SELECT
    class, distinct_values,
    least(last_rank, bound('l') - 1) - first_rank + 1 AS size,
    real(bound('tau')) + (1 - real(bound('tau'))) * (first_rank - 1) / real(bound('l') - 1) - taken_before - frequency AS gap,
    (1 - real(bound('tau'))) / real(bound('l') - 1) - frequency AS change
FROM runs
WHERE first_rank < bound('l')
UNION ALL
SELECT
    class, distinct_values,
    last_rank - greatest(first_rank, bound('l')) + 1,
    1 - taken_before - (greatest(first_rank, bound('l')) - first_rank + 1) * frequency,
    -frequency
FROM runs
WHERE last_rank >= bound('l')
