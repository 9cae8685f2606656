-- Search: which l, which algorithm? The rows are grouped for several releases, which are measured; none is published.

-- best_l(tbl, qi, sa): one row: the largest l whose release loses at most max_gcp, its gcp, the largest l that the table
-- allows, how many l were tried.
CREATE OR REPLACE TEMP MACRO best_l(
    tbl, qi, sa,
    max_gcp := 0.2, algo := 'hilbert', taxonomy := NULL, seed := NULL, nulls := 'value'
) AS TABLE
    FROM query(_sqlanon_plan('best_l', {
        'tbl': tbl, 'qi': qi, 'sa': sa,
        'max_gcp': max_gcp, 'algo': algo, 'taxonomy': taxonomy, 'seed': seed, 'nulls': nulls
    }));

-- frontier(tbl, qi, sa): one row per algorithm and l: what its release loses by several measures, and the seconds that the
-- algorithm took.
CREATE OR REPLACE TEMP MACRO frontier(
    tbl, qi, sa,
    l := [2, 3, 5, 7], algos := ['hilbert', 'bsgi', 'tp_plus'], taxonomy := NULL, seed := NULL
) AS TABLE
    FROM query(_sqlanon_plan('frontier', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l, 'algos': algos, 'taxonomy': taxonomy, 'seed': seed
    }));
