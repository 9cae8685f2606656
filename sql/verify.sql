-- Verify: what does a table promise? Any table, a release or not. The definitions are the files in verify/, one relation
-- each; the planner puts together those that a function needs.
--
-- Arguments of all of them: entity := 'person_id' counts distinct people instead of rows in k and l; nulls := 'value' takes
-- NULL (and '*') in a quasi-identifier as a value like any other, 'wildcard' lets it match anything, 'exclude' leaves such
-- rows out. equivalence_classes, privacy, violations and assert_private do without sa: then only k, and size, are measured.

-- equivalence_classes(tbl, qi, sa): one row per class: the qi columns, size, distinct_values, top_count, entropy, t_distance.
CREATE MACRO equivalence_classes(tbl, qi, sa := NULL, entity := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('equivalence_classes', {'tbl': tbl, 'qi': qi, 'sa': sa, 'entity': entity, 'nulls': nulls}));

-- privacy(tbl, qi, sa): one row (one per attribute, with its name first, where sa is a list) with every measure.
CREATE MACRO privacy(tbl, qi, sa := NULL, taxonomy := NULL, entity := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('privacy', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'taxonomy': taxonomy, 'entity': entity, 'nulls': nulls
    }));

-- recursive_c(tbl, qi, sa, l): one row: c, the infimum of c for which recursive (c,l)-diversity holds; NULL = none.
CREATE MACRO recursive_c(tbl, qi, sa, l, entity := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('recursive_c', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l, 'entity': entity, 'nulls': nulls
    }));

-- violations(tbl, qi, sa, k, l, entropy_l, t, c, tau): the classes that break a given bound: the qi columns, size,
-- distinct_values, top_count, broken (which bounds) and by_how_much (in the same order). No row: the table passes. With tau, l is
-- the l of (tau,l)-diversity and no bound of its own; taxonomy and weights are for tau, as below.
CREATE MACRO violations(
    tbl, qi, sa := NULL, k := NULL, l := NULL, entropy_l := NULL, t := NULL, c := NULL, entity := NULL, nulls := 'value',
    tau := NULL, taxonomy := NULL, weights := NULL
) AS TABLE
    FROM query(_sqlanon_plan('violations', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'k': k, 'l': l, 'entropy_l': entropy_l, 't': t, 'c': c,
        'entity': entity, 'nulls': nulls, 'tau': tau, 'taxonomy': taxonomy, 'weights': weights
    }));

-- _sqlanon_none_broken(broken): TRUE for no violations; SA302 with the number of classes that break a bound, and which.
CREATE MACRO _sqlanon_none_broken(broken) AS
    CASE
        WHEN broken IS NULL THEN true
        ELSE error('[SA302] ' || len(broken) || ' of its classes break a bound (' ||
            list_aggregate(list_sort(list_distinct(flatten(broken))), 'string_agg', ', ') || '). See violations(…) for which.')
    END;

-- assert_private(tbl, qi, sa, k, l, entropy_l, t, c, tau): TRUE, or SA302 with the number of classes that break a bound.
CREATE MACRO assert_private(
    tbl, qi, sa := NULL, k := NULL, l := NULL, entropy_l := NULL, t := NULL, c := NULL, entity := NULL, nulls := 'value',
    tau := NULL, taxonomy := NULL, weights := NULL
) AS (
    FROM query(_sqlanon_plan('assert_private', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'k': k, 'l': l, 'entropy_l': entropy_l, 't': t, 'c': c,
        'entity': entity, 'nulls': nulls, 'tau': tau, 'taxonomy': taxonomy, 'weights': weights
    }))
);

-- risk(tbl, qi): one row: people, classes, smallest_class, prosecutor, marketer, above_threshold, unique_people.
CREATE MACRO risk(tbl, qi, threshold := 0.2, entity := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('risk', {
        'tbl': tbl, 'qi': qi, 'threshold': threshold, 'entity': entity, 'nulls': nulls
    }));

-- risk_by_size(tbl, qi): one row per class size: size, classes, people, share, risk.
CREATE MACRO risk_by_size(tbl, qi, entity := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('risk_by_size', {'tbl': tbl, 'qi': qi, 'entity': entity, 'nulls': nulls}));

-- eligibility(tbl, sa): one row: rows, distinct_values, top_count, max_l, optimal_l, and next_step, what to try, in words.
CREATE MACRO eligibility(tbl, sa, entity := NULL) AS TABLE
    FROM query(_sqlanon_plan('eligibility', {'tbl': tbl, 'sa': sa, 'entity': entity}));

-- eligible_c(tbl, sa, l): one row: rows, distinct_values, c, min_c.
CREATE MACRO eligible_c(tbl, sa, l) AS TABLE
    FROM query(_sqlanon_plan('eligible_c', {'tbl': tbl, 'sa': sa, 'l': l}));

-- buckets(tbl, sa): the sensitive values, largest first: value, count, share, rank.
CREATE MACRO buckets(tbl, sa) AS TABLE
    FROM query(_sqlanon_plan('buckets', {'tbl': tbl, 'sa': sa}));

-- Of a table whose sensitive values may be generalized: taxonomy := {'disease': 'disease_levels'} says what a label stands for; weights, a
-- table with columns value and weight, how likely an attacker holds each base value to be (all alike unless given).

-- induced_frequencies(tbl, qi, sa): class by class, every base value: the qi columns, value, frequency, rank, cumulative.
CREATE MACRO induced_frequencies(tbl, qi, sa, taxonomy := NULL, weights := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('induced_frequencies', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'taxonomy': taxonomy, 'weights': weights, 'nulls': nulls
    }));

-- tau_privacy(tbl, qi, sa, l): one row: tau, the smallest one for which (tau,l)-diversity holds, from 1/l up; NULL = none.
CREATE MACRO tau_privacy(tbl, qi, sa, l, taxonomy := NULL, weights := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('tau_privacy', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l, 'taxonomy': taxonomy, 'weights': weights, 'nulls': nulls
    }));

-- excessive_protection(tbl, qi, sa, tau, l): one row: excess, how far the class that is nearest to what (tau,l) allows is from it.
CREATE MACRO excessive_protection(tbl, qi, sa, tau, l, taxonomy := NULL, weights := NULL, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('excessive_protection', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'tau': tau, 'l': l, 'taxonomy': taxonomy, 'weights': weights, 'nulls': nulls
    }));

-- stronger_requirements(tau, l, m): the weakest requirements that imply (tau,l)-diversity of m values: c, l. c NULL = simple l-diversity.
CREATE MACRO stronger_requirements(tau, l, m) AS TABLE
    FROM query(_sqlanon_plan('stronger_requirements', {'tau': tau, 'l': l, 'm': m}));

-- The same measures one by one, under the names that users of pycanon know.

-- k_anonymity(tbl, qi): one row: k, the size of the smallest class.
CREATE MACRO k_anonymity(tbl, qi) AS TABLE
    FROM query(_sqlanon_plan('k_anonymity', {'tbl': tbl, 'qi': qi}));

-- alpha_k_anonymity(tbl, qi, sa): one row: alpha, the largest share that a sensitive value has in a class, and k.
CREATE MACRO alpha_k_anonymity(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('alpha_k_anonymity', {'tbl': tbl, 'qi': qi, 'sa': sa}));

-- l_diversity(tbl, qi, sa): one row: l, the fewest different sensitive values of a class.
CREATE MACRO l_diversity(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('l_diversity', {'tbl': tbl, 'qi': qi, 'sa': sa}));

-- entropy_l_diversity(tbl, qi, sa): one row: l, by the entropy of the class where it is smallest.
CREATE MACRO entropy_l_diversity(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('entropy_l_diversity', {'tbl': tbl, 'qi': qi, 'sa': sa}));

-- recursive_c_l_diversity(tbl, qi, sa, l): one row: c, the infimum of c for which recursive (c,l)-diversity holds.
CREATE MACRO recursive_c_l_diversity(tbl, qi, sa, l) AS TABLE
    FROM query(_sqlanon_plan('recursive_c_l_diversity', {'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l}));

-- basic_beta_likeness(tbl, qi, sa): one row: beta, by how much, relative to the whole, a share rises in a class at most.
CREATE MACRO basic_beta_likeness(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('basic_beta_likeness', {'tbl': tbl, 'qi': qi, 'sa': sa}));

-- enhanced_beta_likeness(tbl, qi, sa): one row: beta, the smallest one for which enhanced beta-likeness holds; NULL = none.
CREATE MACRO enhanced_beta_likeness(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('enhanced_beta_likeness', {'tbl': tbl, 'qi': qi, 'sa': sa}));

-- t_closeness(tbl, qi, sa): one row: t, how far the distribution of a class is from the whole at most.
CREATE MACRO t_closeness(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('t_closeness', {'tbl': tbl, 'qi': qi, 'sa': sa}));

-- delta_disclosure(tbl, qi, sa): one row: delta, the largest absolute log-ratio of a share in a class to that in the whole.
CREATE MACRO delta_disclosure(tbl, qi, sa) AS TABLE
    FROM query(_sqlanon_plan('delta_disclosure', {'tbl': tbl, 'qi': qi, 'sa': sa}));
