-- runs: per class, runs of base values with the same induced frequency, the most frequent first: their ranks, from 1, and what the
-- values before them take together. distinct_values: all base values of the class.
SELECT
    class, frequency, distinct_values,
    last_rank - size + 1 AS first_rank, last_rank,
    taken - size * frequency AS taken_before
FROM (
    SELECT
        class, frequency, size,
        sum(size) OVER (PARTITION BY class) AS distinct_values,
        sum(size) OVER (PARTITION BY class ORDER BY frequency DESC, size ASC ROWS UNBOUNDED PRECEDING) AS last_rank,
        real(sum(exact(size * frequency)) OVER (PARTITION BY class ORDER BY frequency DESC, size ASC ROWS UNBOUNDED PRECEDING)) AS taken
    FROM frequency_counts
) AS ranked
