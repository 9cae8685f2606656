-- Publish when every attribute is both quasi-identifier and sensitive: each value is hidden in a list.

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
    (w BIT, v) AS CAST(v AS BIT),
    (w TIMETZ, v) AS CAST(v AS TIMETZ),
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
