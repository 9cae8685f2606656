-- tails: per class, its most frequent value over all from the l-th on: recursive (c,l)-diversity is ratio < c, that is
-- top < c * tail. Infinite where the class has fewer than l values.
SELECT
    class,
    CASE
        WHEN max(rank) < bound('l') THEN infinity()
        ELSE real(max(height)) / real(sum(CASE WHEN rank >= bound('l') THEN height ELSE 0 END))
    END AS ratio
FROM heights
GROUP BY class
