-- Publish: the release functions. Each names its arguments and hands them to the planner, which answers, at bind
-- time, with the one statement that does the work.

-- kanonymous(tbl, qi, k): group_id, the quasi-identifiers recoded, keep; every group has at least k rows, or, where a column
-- tells people apart (entity), k people.
CREATE MACRO kanonymous(
    tbl, qi, k,
    algo := 'hilbert', taxonomy := NULL, recode := NULL, format := 'text', keep := [], seed := NULL, options := NULL,
    nulls := 'value', entity := NULL
) AS TABLE
    FROM query(_sqlanon_plan('kanonymous', {
        'tbl': tbl, 'qi': qi, 'k': k,
        'algo': algo, 'taxonomy': taxonomy, 'recode': recode, 'format': format, 'keep': keep,
        'seed': seed, 'options': options, 'nulls': nulls, 'entity': entity
    }));

-- ldiverse(tbl, qi, sa, l): group_id, the quasi-identifiers recoded, sa, keep; in no group does a sensitive value
-- take more than 1/l of the rows; with entity, nor of the people.
CREATE MACRO ldiverse(
    tbl, qi, sa, l,
    algo := 'hilbert', taxonomy := NULL, recode := NULL, format := 'text', keep := [], seed := NULL, options := NULL,
    nulls := 'value', entity := NULL
) AS TABLE
    FROM query(_sqlanon_plan('ldiverse', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l,
        'algo': algo, 'taxonomy': taxonomy, 'recode': recode, 'format': format, 'keep': keep,
        'seed': seed, 'options': options, 'nulls': nulls, 'entity': entity
    }));

-- taudiverse(tbl, qi, sa, tau, l): group_id, the quasi-identifiers and the sensitive attributes recoded, keep; in every group the most
-- frequent sensitive value has a share of at most tau, and any j < l of them no more than tau + (1 - tau) (j - 1) / (l - 1).
CREATE MACRO taudiverse(
    tbl, qi, sa, tau, l,
    algo := 'sweep', taxonomy := NULL, format := 'text', keep := [], options := NULL
) AS TABLE
    FROM query(_sqlanon_plan('taudiverse', {
        'tbl': tbl, 'qi': qi, 'sa': sa, 'tau': tau, 'l': l,
        'algo': algo, 'taxonomy': taxonomy, 'format': format, 'keep': keep, 'options': options
    }));

-- tp_phases(tbl, qi, sa, l): what ldiverse with algo 'tp' comes to: the phase it stops in, the groups, the rows that share
-- the one group of the residue, and how few any release of its kind must have there.
CREATE MACRO tp_phases(tbl, qi, sa, l, nulls := 'value') AS TABLE
    FROM query(_sqlanon_plan('tp_phases', {'tbl': tbl, 'qi': qi, 'sa': sa, 'l': l, 'nulls': nulls}));

-- full_domain_levels(tbl, qi, sa): every combination of levels, one for each column, that keeps k, or, with sa, l: what it loses, and
-- the rows that it leaves out. The first is what algo 'incognito' publishes.
CREATE MACRO full_domain_levels(
    tbl, qi, sa := NULL,
    k := NULL, l := NULL, taxonomy := NULL, options := NULL, nulls := 'value', entity := NULL
) AS TABLE
    FROM query(_sqlanon_plan('full_domain_levels', {
        'tbl': tbl, 'qi': qi, 'sa': sa,
        'k': k, 'l': l, 'taxonomy': taxonomy, 'options': options, 'nulls': nulls, 'entity': entity
    }));

-- sqlanon_explain(function, arguments): the statement that a release function runs, as text, without its seed.
CREATE MACRO sqlanon_explain(function, arguments) AS
    _sqlanon_plan('sqlanon_explain', {'function': function, 'arguments': arguments});
