-- recursive_c(tbl, qi, sa, l): one row: c, the infimum of c for which every class is recursive (c,l)-diverse
-- (top < c * tail); NULL where a class has fewer than l values, so that none will do.
SELECT CASE WHEN min(tail) > 0 THEN max(real(top) / real(tail)) END AS c
FROM tails
