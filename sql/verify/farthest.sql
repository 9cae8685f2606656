-- farthest: the classes that may have the largest ordered distance: all but those that are nearer, at most, than another is at
-- least. The margin, far above rounding, only lets more classes in.
SELECT reach.class
FROM reach
CROSS JOIN (SELECT max(at_least) AS sure FROM reach) AS best
CROSS JOIN whole
WHERE reach.at_most >= best.sure - 1e-9 * whole.distinct_values
