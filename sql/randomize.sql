-- Publish when every attribute is both quasi-identifier and sensitive: each value is hidden in a list.

-- randomize(tbl, l, t): for each column that l or t names, the sorted list of its value, or not, and decoys; then keep. Rows have an
-- order of their own.
CREATE MACRO randomize(tbl, l := NULL, t := NULL, keep := [], seed := NULL, options := NULL) AS TABLE
    FROM query(_sqlanon_plan('randomize', {
        'tbl': tbl, 'l': l, 't': t, 'keep': keep, 'seed': seed, 'options': options
    }));

-- randomize_params(tbl, l, t): one row per column that l or t names: its domain as text, the length of its lists, the probability that a
-- list holds the value for sure, the L2 distance to expect, and how far apart values are for t. To be published beside the release.
CREATE MACRO randomize_params(tbl, l := NULL, t := NULL, options := NULL) AS TABLE
    FROM query(_sqlanon_plan('randomize_params', {'tbl': tbl, 'l': l, 't': t, 'options': options}));

-- reconstruct(rel, params, attributes): one row per combination of values of the attributes, and how many rows of the source are
-- estimated to have it.
CREATE MACRO reconstruct(rel, params, attributes, method := 'bayes') AS TABLE
    FROM query(_sqlanon_plan('reconstruct', {
        'rel': rel, 'params': params, 'attributes': attributes, 'method': method
    }));

-- reconstruction_steps(rel, params, attributes): one row: what reconstruct does with these arguments: the cells, the rows, the steps that it
-- took, the share of all rows that one more step would move, and whether that is as little as it must be.
CREATE MACRO reconstruction_steps(rel, params, attributes, method := 'bayes') AS TABLE
    FROM query(_sqlanon_plan('reconstruction_steps', {
        'rel': rel, 'params': params, 'attributes': attributes, 'method': method
    }));

-- distribution_distance(src, rel, params, attributes): one row: how far what is reconstructed is from the source.
CREATE MACRO distribution_distance(src, rel, params, attributes, method := 'bayes') AS TABLE
    FROM query(_sqlanon_plan('distribution_distance', {
        'src': src, 'rel': rel, 'params': params, 'attributes': attributes, 'method': method
    }));

-- randomization_privacy(rel, params): one row per attribute of params: the values that any list leaves possible, how far the worst list moves
-- what is believed of a row, and how diverse the classes of the expanded release are.
CREATE MACRO randomization_privacy(rel, params) AS TABLE
    FROM query(_sqlanon_plan('randomization_privacy', {'rel': rel, 'params': params}));

-- _sqlanon_belief_change(mass, size, eta, p): how far a list whose values a share `mass` of the rows has moves what is believed of a row.
CREATE MACRO _sqlanon_belief_change(mass, size, eta, p) AS
    CASE
        WHEN p = 1 THEN 1 - mass
        ELSE p * size / eta * mass * (1 - mass) / (p * size / eta * mass + 1 - p)
    END;

-- _sqlanon_item(value, value): an item of a list, for its type. Where lists are text, so are their items; what is no list is a value itself; a
-- DECIMAL as DOUBLE. The casts are for a column of nothing but NULL, which has no type.
CREATE MACRO
    _sqlanon_item(w VARCHAR, v) AS CAST(NULL AS VARCHAR),
    (w BOOLEAN, v) AS CAST(v AS BOOLEAN),
    (w TINYINT, v) AS CAST(v AS TINYINT),
    (w SMALLINT, v) AS CAST(v AS SMALLINT),
    (w INTEGER, v) AS CAST(v AS INTEGER),
    (w BIGINT, v) AS CAST(v AS BIGINT),
    (w HUGEINT, v) AS CAST(v AS HUGEINT),
    (w UTINYINT, v) AS CAST(v AS UTINYINT),
    (w USMALLINT, v) AS CAST(v AS USMALLINT),
    (w UINTEGER, v) AS CAST(v AS UINTEGER),
    (w UBIGINT, v) AS CAST(v AS UBIGINT),
    (w UHUGEINT, v) AS CAST(v AS UHUGEINT),
    (w FLOAT, v) AS CAST(v AS FLOAT),
    (w DOUBLE, v) AS CAST(v AS DOUBLE),
    (w BIGNUM, v) AS CAST(v AS BIGNUM),
    (w DATE, v) AS v,
    (w TIME, v) AS v,
    (w TIME_NS, v) AS v,
    (w TIMESTAMP, v) AS v,
    (w TIMESTAMP_NS, v) AS v,
    (w TIMESTAMPTZ, v) AS v,
    (w INTERVAL, v) AS CAST(v AS INTERVAL),
    (w UUID, v) AS CAST(v AS UUID),
    (w BLOB, v) AS CAST(v AS BLOB),
    (w, v) AS list_extract(v, 1);

-- _sqlanon_if_number(value, direct, by_text), and so on: how to compare a value with a constant of some kind: as they stand, or, if its type is
-- of another kind, by its text.
CREATE MACRO
    _sqlanon_if_number(w DOUBLE, direct, by_text) AS direct,
    (w BIGNUM, direct, by_text) AS direct,
    (w, direct, by_text) AS by_text;

CREATE MACRO
    _sqlanon_if_moment(w TIMESTAMP, direct, by_text) AS direct,
    (w TIMESTAMP_NS, direct, by_text) AS direct,
    (w TIMESTAMPTZ, direct, by_text) AS direct,
    (w, direct, by_text) AS by_text;

CREATE MACRO
    _sqlanon_if_time(w TIME, direct, by_text) AS direct,
    (w TIME_NS, direct, by_text) AS direct,
    (w, direct, by_text) AS by_text;

CREATE MACRO
    _sqlanon_if_boolean(w BOOLEAN, direct, by_text) AS direct,
    (w, direct, by_text) AS by_text;
