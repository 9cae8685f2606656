-- risk_by_size(tbl, qi): the classes by their size, smallest first: size, classes, people, share of all people, risk.
SELECT
    size,
    classes,
    people,
    real(people) / real(sum(people) OVER ()) AS share,
    1.0 / real(size) AS risk
FROM risk_sizes
ORDER BY size ASC
