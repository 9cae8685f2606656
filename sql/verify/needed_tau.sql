-- needed_tau: per class, how many base values it has, and the smallest tau that allows its first j values what they take, for every
-- j < l; from j = l on, all is allowed.
SELECT
    class, distinct_values,
    max((cumulative * (bound('l') - 1) - (rank - 1)) / (bound('l') - rank)) AS tau
FROM ends
GROUP BY class, distinct_values
