-- broken_tau: the classes that are not (tau,l)-diverse: their first values take more together than is allowed, and by how much at most.
-- What is above it by 1e-9 or less is taken for the rounding of sums. Values that a class has not can only come after a rank that
-- takes all; so they need no rank here.
SELECT class, max(cumulative - allowed) AS by_how_much
FROM allowances
WHERE cumulative > allowed + 1e-9
GROUP BY class
