-- estimate(rel, query): the answer to a query on the source, from its release alone: the columns of GROUP BY, estimate, lower, upper.

-- _sqlanon_handed(cell, cell): a published value as the Arrow function reads it: text, a list of text, or text that says what type it had.
CREATE MACRO
    _sqlanon_handed(w VARCHAR, cell) AS cell,
    (w VARCHAR[], cell) AS CAST(cell AS VARCHAR[]),
    (w, cell) AS {'printed': CAST(cell AS VARCHAR), 'type': typeof(cell)};

-- _sqlanon_starred(cell): whether a published value tells nothing.
CREATE MACRO
    _sqlanon_starred(cell VARCHAR) AS cell = '*',
    (cell VARCHAR[]) AS cell = ['*'],
    (cell) AS CAST(cell AS VARCHAR) IN ('*', '{''lo'': NULL, ''hi'': NULL}');

-- _sqlanon_may_be(cell, plain): whether a cell may have a value that it must have, where plain says it of single values of text. What
-- begins with *, [ or { may be more than it says. DuckDB asks for = and < while it scans; LIKE or the first letter takes it twice as long.
CREATE MACRO
    _sqlanon_may_be(cell VARCHAR, plain) AS plain OR cell < '+' OR cell >= '{' OR (cell >= '[' AND cell < '\'),
    (cell, plain) AS TRUE;

-- _sqlanon_like(cell, text): a value in the type that the release shows: that of the cell, of the ends of its range, or of what it lists.
CREATE MACRO
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
    (w BIGNUM, t) AS CAST(t AS BIGNUM),
    (w FLOAT, t) AS CAST(t AS FLOAT),
    (w DOUBLE, t) AS CAST(t AS DOUBLE),
    (w DATE, t) AS CAST(t AS DATE),
    (w TIME, t) AS CAST(t AS TIME),
    (w TIME_NS, t) AS CAST(t AS TIME_NS),
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
    (w STRUCT(lo UHUGEINT, hi UHUGEINT), t) AS CAST(t AS UHUGEINT),
    (w STRUCT(lo BIGNUM, hi BIGNUM), t) AS CAST(t AS BIGNUM),
    (w STRUCT(lo FLOAT, hi FLOAT), t) AS CAST(t AS FLOAT),
    (w STRUCT(lo DOUBLE, hi DOUBLE), t) AS CAST(t AS DOUBLE),
    (w STRUCT(lo DATE, hi DATE), t) AS CAST(t AS DATE),
    (w STRUCT(lo TIME, hi TIME), t) AS CAST(t AS TIME),
    (w STRUCT(lo TIME_NS, hi TIME_NS), t) AS CAST(t AS TIME_NS),
    (w STRUCT(lo INTERVAL, hi INTERVAL), t) AS CAST(t AS INTERVAL),
    (w STRUCT(lo TIMESTAMP, hi TIMESTAMP), t) AS CAST(t AS TIMESTAMP),
    (w STRUCT(lo TIMESTAMP_S, hi TIMESTAMP_S), t) AS CAST(t AS TIMESTAMP_S),
    (w STRUCT(lo TIMESTAMP_MS, hi TIMESTAMP_MS), t) AS CAST(t AS TIMESTAMP_MS),
    (w STRUCT(lo TIMESTAMP_NS, hi TIMESTAMP_NS), t) AS CAST(t AS TIMESTAMP_NS),
    (w STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ), t) AS CAST(t AS TIMESTAMPTZ),
    (w TINYINT[], t) AS CAST(t AS TINYINT),
    (w SMALLINT[], t) AS CAST(t AS SMALLINT),
    (w INTEGER[], t) AS CAST(t AS INTEGER),
    (w BIGINT[], t) AS CAST(t AS BIGINT),
    (w HUGEINT[], t) AS CAST(t AS HUGEINT),
    (w UTINYINT[], t) AS CAST(t AS UTINYINT),
    (w USMALLINT[], t) AS CAST(t AS USMALLINT),
    (w UINTEGER[], t) AS CAST(t AS UINTEGER),
    (w UBIGINT[], t) AS CAST(t AS UBIGINT),
    (w UHUGEINT[], t) AS CAST(t AS UHUGEINT),
    (w BIGNUM[], t) AS CAST(t AS BIGNUM),
    (w FLOAT[], t) AS CAST(t AS FLOAT),
    (w DOUBLE[], t) AS CAST(t AS DOUBLE),
    (w DATE[], t) AS CAST(t AS DATE),
    (w TIME[], t) AS CAST(t AS TIME),
    (w TIME_NS[], t) AS CAST(t AS TIME_NS),
    (w INTERVAL[], t) AS CAST(t AS INTERVAL),
    (w TIMESTAMP[], t) AS CAST(t AS TIMESTAMP),
    (w TIMESTAMP_S[], t) AS CAST(t AS TIMESTAMP_S),
    (w TIMESTAMP_MS[], t) AS CAST(t AS TIMESTAMP_MS),
    (w TIMESTAMP_NS[], t) AS CAST(t AS TIMESTAMP_NS),
    (w TIMESTAMPTZ[], t) AS CAST(t AS TIMESTAMPTZ),
    (w BOOLEAN[], t) AS CAST(t AS BOOLEAN),
    (w UUID[], t) AS CAST(t AS UUID),
    (w VARCHAR[], t) AS CAST(t AS VARCHAR),
    (w VARCHAR, t) AS CAST(t AS VARCHAR),
    (w, t) AS CAST(t AS VARCHAR);

CREATE MACRO estimate(rel, query, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('estimate', {'rel': rel, 'query': query, 'taxonomy': taxonomy}));
