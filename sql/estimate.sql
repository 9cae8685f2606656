-- estimate(rel, query): the answer to a query on the source, from its release alone: the columns of GROUP BY, estimate, lower, upper.

-- _sqlanon_listed(cell): the values that a cell lists: a LIST, or the text {a, b, c}, which has two at least; NULL for any other cell.
CREATE OR REPLACE TEMP MACRO
    _sqlanon_listed(cell VARCHAR) AS CASE
        WHEN cell LIKE '{%, %}' THEN list_transform(string_split(cell[2:-2], ', '), lambda item: nullif(item, 'NULL'))
    END,
    (cell) AS _sqlanon_cell_items(cell);

-- _sqlanon_may_be(cell, plain): whether a cell may have a value that it must have, where plain says it of single values of text.
CREATE OR REPLACE TEMP MACRO
    _sqlanon_may_be(cell VARCHAR, plain) AS plain OR cell = '*' OR cell LIKE '[%' OR cell LIKE '{%',
    (cell, plain) AS TRUE;

-- _sqlanon_is_number(text), _sqlanon_is_time(text): whether it can be read as one.
CREATE OR REPLACE TEMP MACRO _sqlanon_is_number(text) AS TRY_CAST(text AS DOUBLE) IS NOT NULL;

CREATE OR REPLACE TEMP MACRO _sqlanon_is_time(text) AS TRY_CAST(text AS TIMESTAMP) IS NOT NULL;

-- _sqlanon_digits(text): a number as text, without zeros at its end that say nothing.
CREATE OR REPLACE TEMP MACRO _sqlanon_digits(text) AS rtrim(regexp_replace(text, '(\.\d*?)0+$', '\1'), '.');

-- _sqlanon_too_fine(text): whether a number or time has more digits than can be compared: those of a DOUBLE, microseconds.
CREATE OR REPLACE TEMP MACRO _sqlanon_too_fine(text) AS
    CASE
        WHEN length(text) < 16 THEN FALSE
        WHEN _sqlanon_is_number(text)
            THEN _sqlanon_digits(text) <> _sqlanon_digits(CAST(TRY_CAST(text AS DOUBLE) AS VARCHAR))
        ELSE regexp_matches(text, '\.\d{7}')
    END;

-- _sqlanon_ranged(cell, ends): whether a cell is of a number, date or time: by its type, or as the text [low, high].
CREATE OR REPLACE TEMP MACRO
    _sqlanon_ranged(cell VARCHAR, ends) AS CASE
        WHEN ends[1] = cell THEN FALSE
        WHEN _sqlanon_is_number(ends[1]) THEN _sqlanon_is_number(ends[2])
        ELSE _sqlanon_is_time(ends[1]) AND _sqlanon_is_time(ends[2])
    END,
    (cell, ends) AS typeof(cell) LIKE 'STRUCT(%' OR _sqlanon_kind(typeof(cell)) = 'range';

-- _sqlanon_like(cell, text): a value in the type that the release shows: that of the cell, or of the ends of its range.
CREATE OR REPLACE TEMP MACRO
    _sqlanon_like(w TINYINT, t) AS CAST(t AS TINYINT),
    (w SMALLINT, t) AS CAST(t AS SMALLINT),
    (w INTEGER, t) AS CAST(t AS INTEGER),
    (w BIGINT, t) AS CAST(t AS BIGINT),
    (w HUGEINT, t) AS CAST(t AS HUGEINT),
    (w UTINYINT, t) AS CAST(t AS UTINYINT),
    (w USMALLINT, t) AS CAST(t AS USMALLINT),
    (w UINTEGER, t) AS CAST(t AS UINTEGER),
    (w UBIGINT, t) AS CAST(t AS UBIGINT),
    (w UHUGEINT, t) AS CAST(t AS UHUGEINT),
    (w FLOAT, t) AS CAST(t AS FLOAT),
    (w DOUBLE, t) AS CAST(t AS DOUBLE),
    (w DATE, t) AS CAST(t AS DATE),
    (w TIME, t) AS CAST(t AS TIME),
    (w INTERVAL, t) AS CAST(t AS INTERVAL),
    (w TIMESTAMP, t) AS CAST(t AS TIMESTAMP),
    (w TIMESTAMP_S, t) AS CAST(t AS TIMESTAMP_S),
    (w TIMESTAMP_MS, t) AS CAST(t AS TIMESTAMP_MS),
    (w TIMESTAMP_NS, t) AS CAST(t AS TIMESTAMP_NS),
    (w TIMESTAMPTZ, t) AS CAST(t AS TIMESTAMPTZ),
    (w BOOLEAN, t) AS CAST(t AS BOOLEAN),
    (w UUID, t) AS CAST(t AS UUID),
    (w STRUCT(lo TINYINT, hi TINYINT), t) AS CAST(t AS TINYINT),
    (w STRUCT(lo SMALLINT, hi SMALLINT), t) AS CAST(t AS SMALLINT),
    (w STRUCT(lo INTEGER, hi INTEGER), t) AS CAST(t AS INTEGER),
    (w STRUCT(lo BIGINT, hi BIGINT), t) AS CAST(t AS BIGINT),
    (w STRUCT(lo HUGEINT, hi HUGEINT), t) AS CAST(t AS HUGEINT),
    (w STRUCT(lo UTINYINT, hi UTINYINT), t) AS CAST(t AS UTINYINT),
    (w STRUCT(lo USMALLINT, hi USMALLINT), t) AS CAST(t AS USMALLINT),
    (w STRUCT(lo UINTEGER, hi UINTEGER), t) AS CAST(t AS UINTEGER),
    (w STRUCT(lo UBIGINT, hi UBIGINT), t) AS CAST(t AS UBIGINT),
    (w STRUCT(lo FLOAT, hi FLOAT), t) AS CAST(t AS FLOAT),
    (w STRUCT(lo DOUBLE, hi DOUBLE), t) AS CAST(t AS DOUBLE),
    (w STRUCT(lo DATE, hi DATE), t) AS CAST(t AS DATE),
    (w STRUCT(lo TIMESTAMP, hi TIMESTAMP), t) AS CAST(t AS TIMESTAMP),
    (w VARCHAR, t) AS CAST(t AS VARCHAR),
    (w, t) AS CAST(t AS VARCHAR);

CREATE OR REPLACE TEMP MACRO estimate(rel, query, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('estimate', {'rel': rel, 'query': query, 'taxonomy': taxonomy}));
