-- estimate(rel, query): the answer to a query on the source, from its release alone: the columns of GROUP BY, estimate, lower, upper.
-- `estimate` assumes that the values under a label, in a range or under * are equally likely; lower and upper assume nothing of the kind.
-- Columns with labels need their taxonomy. lower and upper allow for `suppressed` rows that were left out of the release.
-- A randomized release is read with its params.

-- _sqlanon_may_be(cell, plain): whether a cell may have a value that it must have, where plain says it of single values of text. What
-- begins with *, [ or { may be more than it says. DuckDB asks for = and < while it scans; LIKE or the first letter takes it twice as long.
CREATE MACRO
    _sqlanon_may_be(cell VARCHAR, plain) AS plain OR cell < '+' OR cell >= '{' OR (cell >= '[' AND cell < '\'),
    (cell, plain) AS TRUE;

-- _sqlanon_cell_type_name(cell, cell): the name of the type of a published value; an ENUM is text.
CREATE MACRO
    _sqlanon_cell_type_name(w VARCHAR, cell) AS 'VARCHAR',
    (w VARCHAR[], cell) AS 'VARCHAR[]',
    (w, cell) AS typeof(cell);

-- _sqlanon_is_nested_type(type_name): whether it is of values that are neither single nor a range nor a list.
CREATE MACRO _sqlanon_is_nested_type(type_name) AS
    regexp_full_match(type_name, '(STRUCT|MAP|UNION)\(.*\)|VARIANT', 's')
    AND NOT regexp_full_match(type_name, 'STRUCT\("?lo"? .*, "?hi"? .*\)', 's');

-- _sqlanon_is_measured_type(type_name): whether it is one of numbers, dates or times, or of ranges of them.
CREATE MACRO _sqlanon_is_measured_type(type_name) AS
    NOT regexp_full_match(type_name, 'VARCHAR|BOOLEAN|UUID|ENUM\(.*|"?NULL"?', 's');

-- _sqlanon_is_clock(text): whether it is a time of day or an interval: they have ranges, but no axis.
CREATE MACRO _sqlanon_is_clock(label) AS regexp_matches(label, '^-?\d+(:\d\d:\d\d| (day|month|year))');

-- _sqlanon_has_offset(text): whether a moment has an offset from UTC; infinity has none in any case.
CREATE MACRO _sqlanon_has_offset(label) AS regexp_matches(label, ':\d\d(\.\d+)?[+-]\d\d(:\d\d)*( \(BC\))?$');

-- _sqlanon_days(text): the days from 1970 to a date or moment; NULL for any other text.
CREATE MACRO _sqlanon_days(label) AS
    CASE
        WHEN label IN ('infinity', '-infinity') THEN CAST(label AS DOUBLE)
        WHEN NOT regexp_matches(label, '^\d+-\d+-\d+') THEN NULL
        WHEN NOT contains(label, ':') THEN CAST(TRY_CAST(label AS DATE) - CAST('1970-01-01' AS DATE) AS DOUBLE)
        WHEN _sqlanon_has_offset(label) THEN epoch_us(TRY_CAST(label AS TIMESTAMPTZ)) / 86400000000
        ELSE epoch_us(TRY_CAST(label AS TIMESTAMP)) / 86400000000
    END;

-- _sqlanon_number(scale, text): a number as its type has it (see _sqlanon_scale), NaN above all others; NULL for any other text.
CREATE MACRO _sqlanon_number(scale, label) AS
    CASE
        WHEN isnan(TRY_CAST(label AS DOUBLE)) THEN CAST('inf' AS DOUBLE)
        WHEN scale = 'single' THEN CAST(TRY_CAST(label AS FLOAT) AS DOUBLE)
        ELSE TRY_CAST(label AS DOUBLE)
    END;

-- _sqlanon_scale(type_name): how DuckDB compares values of a type with constants: as FLOAT, as DOUBLE, or exactly.
CREATE MACRO _sqlanon_scale(type_name) AS
    CASE
        WHEN regexp_full_match(type_name, 'FLOAT(\[\])?|STRUCT\(.* FLOAT, .* FLOAT\)') THEN 'single'
        WHEN regexp_full_match(type_name, 'DOUBLE(\[\])?|STRUCT\(.* DOUBLE, .* DOUBLE\)') THEN 'double'
        ELSE 'exact'
    END;

-- _sqlanon_single(number): as a FLOAT has it.
CREATE MACRO _sqlanon_single(number) AS
    coalesce(CAST(TRY_CAST(number AS FLOAT) AS DOUBLE), CASE WHEN number > 0 THEN CAST('inf' AS DOUBLE) ELSE CAST('-inf' AS DOUBLE) END);

-- _sqlanon_prints_single(number): whether a FLOAT may have been printed so; infinities may in any case.
CREATE MACRO _sqlanon_prints_single(number) AS
    NOT isfinite(number) OR coalesce(CAST(CAST(TRY_CAST(number AS FLOAT) AS VARCHAR) AS DOUBLE) = number, FALSE);

-- _sqlanon_significant_digits(text): the digits of a number that count.
CREATE MACRO _sqlanon_significant_digits(label) AS
    trim(regexp_replace(regexp_replace(lower(label), 'e.*', ''), '\D', '', 'g'), '0');

-- _sqlanon_is_fine_number(text, number), _sqlanon_is_fine_time(text, days): whether it has more digits than are compared: those of a DOUBLE,
-- microseconds; far from 1970, seconds.
CREATE MACRO _sqlanon_is_fine_number(label, number) AS
    length(label) >= 16 AND isfinite(number)
    AND _sqlanon_significant_digits(label) <> _sqlanon_significant_digits(CAST(TRY_CAST(label AS DOUBLE) AS VARCHAR));

CREATE MACRO _sqlanon_is_fine_time(label, days) AS
    regexp_matches(label, '\.\d{6}\d*[1-9]') OR (abs(days) > 65536 AND regexp_matches(label, '\.\d*[1-9]'));

-- _sqlanon_is_cut(text): whether an offset may have seconds that DuckDB does not print: that of local mean time. Clocks are ahead by quarters
-- of an hour; before there were time zones, by any time.
CREATE MACRO _sqlanon_is_cut(label) AS
    regexp_matches(label, ':\d\d(\.\d+)?[+-]\d\d:(0[1-9]|1[0-46-9]|2\d|3[1-9]|4[0-46-9]|5\d)$');

-- _sqlanon_shown_value(cell, cell): one value as the release shows it: the cell, an end of its range, or what it lists first. Its type counts.
-- DuckDB takes a variant of another type than the argument's where it casts without being asked: DOUBLE is for all numbers, TIMESTAMP for
-- dates and for every precision. Text, and what is nested, stays as it is.
CREATE MACRO
    _sqlanon_shown_value(w DOUBLE[], cell) AS cell[1],
    (w STRUCT(lo DOUBLE, hi DOUBLE), cell) AS struct_extract(cell, 'lo'),
    (w TIMESTAMP[], cell) AS cell[1],
    (w STRUCT(lo TIMESTAMP, hi TIMESTAMP), cell) AS struct_extract(cell, 'lo'),
    (w TIMESTAMPTZ[], cell) AS cell[1],
    (w STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ), cell) AS struct_extract(cell, 'lo'),
    (w TIME[], cell) AS cell[1],
    (w STRUCT(lo TIME, hi TIME), cell) AS struct_extract(cell, 'lo'),
    (w TIME_NS[], cell) AS cell[1],
    (w STRUCT(lo TIME_NS, hi TIME_NS), cell) AS struct_extract(cell, 'lo'),
    (w INTERVAL[], cell) AS cell[1],
    (w STRUCT(lo INTERVAL, hi INTERVAL), cell) AS struct_extract(cell, 'lo'),
    (w BOOLEAN[], cell) AS cell[1],
    (w STRUCT(lo BOOLEAN, hi BOOLEAN), cell) AS struct_extract(cell, 'lo'),
    (w UUID[], cell) AS cell[1],
    (w STRUCT(lo UUID, hi UUID), cell) AS struct_extract(cell, 'lo'),
    (w VARCHAR, cell) AS cell,
    (w, cell) AS cell;

-- _sqlanon_like(value, value, text): a text in the type of that value. A DECIMAL becomes a DOUBLE, an ENUM text. A column of nothing but NULL
-- has no type, and goes with BIGINT.
CREATE MACRO
    _sqlanon_like(w HUGEINT, value, t) AS cast_to_type(t, value),
    (w TINYINT, value, t) AS CAST(t AS TINYINT),
    (w SMALLINT, value, t) AS CAST(t AS SMALLINT),
    (w INTEGER, value, t) AS CAST(t AS INTEGER),
    (w BIGINT, value, t) AS CAST(t AS BIGINT),
    (w UTINYINT, value, t) AS CAST(t AS UTINYINT),
    (w USMALLINT, value, t) AS CAST(t AS USMALLINT),
    (w UINTEGER, value, t) AS CAST(t AS UINTEGER),
    (w UBIGINT, value, t) AS CAST(t AS UBIGINT),
    (w UHUGEINT, value, t) AS cast_to_type(t, value),
    (w BIGNUM, value, t) AS cast_to_type(t, value),
    (w FLOAT, value, t) AS cast_to_type(t, value),
    (w TIMESTAMP, value, t) AS cast_to_type(t, value),
    (w TIMESTAMPTZ, value, t) AS cast_to_type(t, value),
    (w TIME, value, t) AS cast_to_type(t, value),
    (w TIME_NS, value, t) AS cast_to_type(t, value),
    (w INTERVAL, value, t) AS cast_to_type(t, value),
    (w BOOLEAN, value, t) AS cast_to_type(t, value),
    (w UUID, value, t) AS cast_to_type(t, value),
    (w DOUBLE, value, t) AS CAST(t AS DOUBLE),
    (w, value, t) AS CAST(t AS VARCHAR);
