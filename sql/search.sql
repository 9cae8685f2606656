-- Search: which k or l, which algorithm? The rows are grouped for several releases, which are measured; none is published.

-- best_k(tbl, qi): one row: the largest k whose release loses at most max_gcp, its gcp, the largest k that the table allows (its
-- rows), how many k were tried.
CREATE MACRO best_k(
    tbl, qi,
    max_gcp := 0.2, algo := 'hilbert', taxonomy := NULL, seed := NULL, nulls := 'value'
) AS TABLE
    FROM query(_sqlanon_plan('best_k', {
        'tbl': tbl, 'qi': qi,
        'max_gcp': max_gcp, 'algo': algo, 'taxonomy': taxonomy, 'seed': seed, 'nulls': nulls
    }));

-- best_l(tbl, qi, sa): one row: the largest l whose release loses at most max_gcp, its gcp, the largest l that the table
-- allows, how many l were tried.
CREATE MACRO best_l(
    tbl, qi, sa,
    max_gcp := 0.2, algo := 'hilbert', taxonomy := NULL, seed := NULL, nulls := 'value'
) AS TABLE
    FROM query(_sqlanon_plan('best_l', {
        'tbl': tbl, 'qi': qi, 'sa': sa,
        'max_gcp': max_gcp, 'algo': algo, 'taxonomy': taxonomy, 'seed': seed, 'nulls': nulls
    }));

-- frontier(tbl, qi, sa): one row per algorithm and l, or, without sa, per algorithm and k: what its release loses by several
-- measures, and the seconds that the algorithm took. NULL: l is [2, 3, 5, 7] with algos ['hilbert', 'bsgi', 'tp_plus'], or k is
-- [2, 5, 10, 25] with algos ['hilbert', 'mondrian', 'topdown'].
CREATE MACRO frontier(
    tbl, qi, sa := NULL,
    l := NULL, algos := NULL, taxonomy := NULL, seed := NULL, k := NULL
) AS TABLE
    FROM query(_sqlanon_plan('frontier', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l, 'algos': algos, 'taxonomy': taxonomy, 'seed': seed, 'k': k
    }));
