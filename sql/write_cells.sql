-- How a published cell is written: what a group publishes for one quasi-identifier, from its lowest and highest value. NULL sorts above
-- every value, so a group that mixes NULL with values has high IS NULL; `low IS NOT DISTINCT FROM high` is one value. read_cells.sql is
-- the way back.

-- _sqlanon_range_text(kind, low, high): the value, the closed range of a measurable column, or '*'.
CREATE MACRO _sqlanon_range_text(kind, low, high) AS
    CASE
        WHEN low IS NOT DISTINCT FROM high THEN CAST(low AS VARCHAR)
        WHEN high IS NULL OR kind <> 'range' THEN '*'
        ELSE '[' || CAST(low AS VARCHAR) || ', ' || CAST(high AS VARCHAR) || ']'
    END;

-- _sqlanon_star_text(low, high): the value, or '*' where the group differs.
CREATE MACRO _sqlanon_star_text(low, high) AS
    CASE WHEN low IS NOT DISTINCT FROM high THEN CAST(low AS VARCHAR) ELSE '*' END;

-- _sqlanon_meet(low_path, high_path): the level (1 = the leaf) at which two paths to the root meet.
CREATE MACRO _sqlanon_meet(low_path, high_path) AS
    -- not list_zip: DuckDB before 1.5.3 reads freed memory in it when lists come out of a join
    list_position(list_transform(low_path, lambda label, level: label = high_path[level]), true);

-- _sqlanon_label_text(low_path, high_path): the label of the lowest common ancestor; '*' for values and NULL.
CREATE MACRO _sqlanon_label_text(low_path, high_path) AS
    CASE
        WHEN low_path IS NULL THEN NULL
        WHEN high_path IS NULL THEN '*'
        ELSE low_path[_sqlanon_meet(low_path, high_path)]
    END;

-- _sqlanon_level(low_path, high_path): the level of that label, 0 for '*'.
CREATE MACRO _sqlanon_level(low_path, high_path) AS
    CASE WHEN _sqlanon_label_text(low_path, high_path) = '*' THEN 0 ELSE _sqlanon_meet(low_path, high_path) END;

-- _sqlanon_sorted(list): ascending, NULL last, whatever the user's default order is.
CREATE MACRO _sqlanon_sorted(list) AS list_sort(list, 'ASC', 'NULLS LAST');

-- _sqlanon_list_text(list): {a, b, c}
CREATE MACRO _sqlanon_list_text(list) AS
    '{' || list_aggregate(list_transform(list, lambda item: coalesce(CAST(item AS VARCHAR), 'NULL')), 'string_agg', ', ') || '}';

-- _sqlanon_values(low, high): typed categories: the value alone, else ['*']. A list of the values that occur would name some of rows
-- that the release hides.
CREATE MACRO _sqlanon_values(low, high) AS
    CASE
        WHEN low IS NULL THEN NULL
        WHEN low IS NOT DISTINCT FROM high THEN [CAST(low AS VARCHAR)]
        ELSE ['*']
    END;

-- _sqlanon_bounds(low, high, exact): typed numbers and dates: {lo, hi}; both NULL where nothing is told,
-- which is where values meet NULL, and where they differ at all if only exact values may be published.
CREATE MACRO _sqlanon_bounds(low, high, exact) AS
    CASE
        WHEN low IS NULL THEN NULL
        WHEN high IS NULL OR (exact AND low <> high) THEN {'lo': NULL, 'hi': NULL}
        ELSE {'lo': low, 'hi': high}
    END;

-- _sqlanon_typed(witness, low, high, exact): bounds or values, by the type of the witness.
-- Every type is listed: see types.sql.
CREATE MACRO
    _sqlanon_typed(w TINYINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w SMALLINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w INTEGER, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w BIGINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w HUGEINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w UTINYINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w USMALLINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w UINTEGER, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w UBIGINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w UHUGEINT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w BIGNUM, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w FLOAT, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w DOUBLE, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w DECIMAL, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w DATE, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIME, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIME_NS, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w INTERVAL, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIMESTAMP, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIMESTAMP_S, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIMESTAMP_MS, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIMESTAMP_NS, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w TIMESTAMPTZ, low, high, exact) AS _sqlanon_bounds(low, high, exact),
    (w VARCHAR, low, high, exact) AS _sqlanon_values(low, high),
    (w BOOLEAN, low, high, exact) AS _sqlanon_values(low, high),
    (w UUID, low, high, exact) AS _sqlanon_values(low, high),
    (w, low, high, exact) AS _sqlanon_values(low, high);
