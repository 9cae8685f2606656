-- tails: per class, its most frequent value against all from the l-th on: recursive (c,l)-diversity is top < c * tail.
SELECT class, max(height) AS top, coalesce(sum(CASE WHEN rank >= bound('l') THEN height END), 0) AS tail
FROM heights
GROUP BY class
