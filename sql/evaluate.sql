-- Evaluate: what a release costs against its source. Each function hands its arguments to the planner, which answers, at bind
-- time, with one statement.

-- info_loss(src, rel, qi): one row: the rows of both, classes, dm, gcp, stars, information. weights := {'age': 2} says how important
-- columns are in gcp and information; others weigh 1.
CREATE MACRO info_loss(src, rel, qi, sa := NULL, taxonomy := NULL, weights := NULL) AS TABLE
    FROM query(_sqlanon_plan('info_loss', {
        'src': src, 'rel': rel, 'qi': qi, 'sa': sa, 'taxonomy': taxonomy, 'weights': weights
    }));

-- attribute_loss(src, rel, qi): one row per quasi-identifier: its ncp, stars and information; with weights, its weight.
CREATE MACRO attribute_loss(src, rel, qi, taxonomy := NULL, weights := NULL) AS TABLE
    FROM query(_sqlanon_plan('attribute_loss', {
        'src': src, 'rel': rel, 'qi': qi, 'taxonomy': taxonomy, 'weights': weights
    }));

-- kl_divergence(src, rel, qi, sa): one row: how far the distribution that the release tells of is from the source's, in nats.
CREATE MACRO kl_divergence(src, rel, qi, sa, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('kl_divergence', {'src': src, 'rel': rel, 'qi': qi, 'sa': sa, 'taxonomy': taxonomy}));

-- cube_kl(src, rel, qi, sa, level): the same for every group-by of that many attributes; of one sensitive value if it is given.
CREATE MACRO cube_kl(src, rel, qi, sa, level, value := NULL, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('cube_kl', {
        'src': src, 'rel': rel, 'qi': qi, 'sa': sa, 'level': level, 'value': CAST(value AS VARCHAR), 'taxonomy': taxonomy
    }));

-- count_query_error(src, rel, qi, sa, dims): one row per random count query, or per condition in the table `predicates`: its answer
-- on the source, its estimate from the release, the relative error. dims counts sa; it may be a list.
CREATE MACRO count_query_error(
    src, rel, qi, sa, dims := NULL, queries := 1000, selectivity := 0.05, seed := 0, taxonomy := NULL, predicates := NULL
) AS TABLE
    FROM query(_sqlanon_plan('count_query_error', {
        'src': src, 'rel': rel, 'qi': qi, 'sa': sa, 'dims': dims, 'queries': queries, 'selectivity': selectivity, 'seed': seed,
        'taxonomy': taxonomy, 'predicates': predicates
    }));
