-- recursive_c(tbl, qi, sa, l): one row: c, the infimum of c for which every class is recursive (c,l)-diverse; NULL where a
-- class has fewer than l values, so that none will do.
SELECT CASE WHEN max(ratio) < infinity() THEN max(ratio) END AS c
FROM tails
