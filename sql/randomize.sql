-- Publish when every attribute is both quasi-identifier and sensitive: each value is hidden in a list.

-- randomize(tbl, l, t): for each column that l or t names, the sorted list of its value, or not, and decoys; then keep. Rows have an
-- order of their own.
CREATE MACRO randomize(tbl, l := NULL, t := NULL, keep := [], seed := NULL, options := NULL) AS TABLE
    FROM query(_sqlanon_plan('randomize', {
        'tbl': tbl, 'l': l, 't': t, 'keep': keep, 'seed': seed, 'options': options
    }));

-- randomize_params(tbl, l, t): one row per column that l or t names: its domain as text, the length of its lists, the probability that a
-- list holds the value for sure, and the L2 distance to expect. To be published beside the release.
CREATE MACRO randomize_params(tbl, l := NULL, t := NULL, options := NULL) AS TABLE
    FROM query(_sqlanon_plan('randomize_params', {'tbl': tbl, 'l': l, 't': t, 'options': options}));

-- reconstruct(rel, params, attributes): one row per combination of values of the attributes, and how many rows of the source are
-- estimated to have it.
CREATE MACRO reconstruct(rel, params, attributes, method := 'bayes') AS TABLE
    FROM query(_sqlanon_plan('reconstruct', {
        'rel': rel, 'params': params, 'attributes': attributes, 'method': method
    }));

-- distribution_distance(src, rel, params, attributes): one row: how far what is reconstructed is from the source.
CREATE MACRO distribution_distance(src, rel, params, attributes, method := 'bayes') AS TABLE
    FROM query(_sqlanon_plan('distribution_distance', {
        'src': src, 'rel': rel, 'params': params, 'attributes': attributes, 'method': method
    }));

-- randomization_privacy(rel, params): one row per attribute of params: the values that any list leaves possible, and how far the
-- worst list moves what is believed of a row.
CREATE MACRO randomization_privacy(rel, params) AS TABLE
    FROM query(_sqlanon_plan('randomization_privacy', {'rel': rel, 'params': params}));

-- _sqlanon_belief_change(mass, size, eta, p): how far a list whose values a share `mass` of the rows has moves what is believed of a row.
CREATE MACRO _sqlanon_belief_change(mass, size, eta, p) AS
    CASE
        WHEN p = 1 THEN 1 - mass
        ELSE p * size / eta * mass * (1 - mass) / (p * size / eta * mass + 1 - p)
    END;

-- _sqlanon_item(value, value): an item of a list, for its type. Where lists are text, so are their items; what is no list at all is refused when
-- it is read.
CREATE MACRO
    _sqlanon_item(w VARCHAR, v) AS CAST(NULL AS VARCHAR),
    (w BOOLEAN, v) AS CAST(NULL AS VARCHAR),
    (w DOUBLE, v) AS CAST(NULL AS VARCHAR),
    (w BIGNUM, v) AS CAST(NULL AS VARCHAR),
    (w DATE, v) AS CAST(NULL AS VARCHAR),
    (w TIME, v) AS CAST(NULL AS VARCHAR),
    (w TIME_NS, v) AS CAST(NULL AS VARCHAR),
    (w TIMESTAMP, v) AS CAST(NULL AS VARCHAR),
    (w TIMESTAMP_NS, v) AS CAST(NULL AS VARCHAR),
    (w TIMESTAMPTZ, v) AS CAST(NULL AS VARCHAR),
    (w INTERVAL, v) AS CAST(NULL AS VARCHAR),
    (w UUID, v) AS CAST(NULL AS VARCHAR),
    (w BLOB, v) AS CAST(NULL AS VARCHAR),
    (w, v) AS list_extract(v, 1);
