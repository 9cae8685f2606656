-- needed_tau: per class, how many base values it has, and the smallest tau that allows its first j values what they take, for every
-- j < l; from j = l on, all is allowed.
SELECT
    class,
    count(*) AS distinct_values,
    max(CASE WHEN rank < bound('l') THEN (cumulative * (bound('l') - 1) - (rank - 1)) / nullif(bound('l') - rank, 0) END) AS tau
FROM induced
GROUP BY class
