-- tau_privacy(tbl, qi, sa, l): one row: tau, the smallest one, not below 1/l, for which every class is (tau,l)-diverse; NULL where a class
-- has fewer than l base values: then it would have to be 1.
SELECT
    CASE
        WHEN min(needed_tau.distinct_values) >= bound('l') THEN greatest(1.0 / real(bound('l')), max(needed_tau.tau))
    END AS tau
FROM whole
LEFT JOIN needed_tau ON TRUE
WHERE enough_base_values(whole.total)
