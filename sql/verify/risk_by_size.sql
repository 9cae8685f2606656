-- risk_by_size(tbl, qi): the classes by their size, smallest first: size, classes, people, share of all people, risk.
SELECT
    size,
    count(*) AS classes,
    CAST(sum(own) AS BIGINT) AS people,
    real(sum(own)) / real(sum(sum(own)) OVER ()) AS share,
    1.0 / real(size) AS risk
FROM sizes
GROUP BY size
ORDER BY size ASC
