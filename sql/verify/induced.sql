-- induced: the same, ranked from 1, the most frequent first and equal ones by value, with the sum so far. Frequencies that differ by
-- rounding only are equal.
SELECT class, value, frequency, rank, sum(frequency) OVER (PARTITION BY class ORDER BY rank ASC ROWS UNBOUNDED PRECEDING) AS cumulative
FROM (
    SELECT
        class, value, frequency,
        row_number() OVER (
            PARTITION BY class
            ORDER BY floor(frequency * 1e12 + 0.5) DESC, CASE WHEN value IS NULL THEN 1 ELSE 0 END ASC, value ASC
        ) AS rank
    FROM frequencies
) AS ranked
