-- What a column's type allows: a range of values, a category, or no use as a quasi-identifier at all.

-- _sqlanon_kind(type_name): 'range', 'category' or 'refused', from typeof(column).
CREATE MACRO _sqlanon_kind(type_name) AS
    CASE
        WHEN type_name LIKE '%]' THEN 'refused'
        WHEN regexp_full_match(
            type_name,
            'U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|BIGNUM|FLOAT|DOUBLE|DECIMAL\(.*\)'
            '|DATE|TIME(_NS)?|INTERVAL|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?'
        ) THEN 'range'
        WHEN regexp_full_match(type_name, 'VARCHAR|BOOLEAN|UUID|"?NULL"?|ENUM\(.*\)', 's') THEN 'category'
        ELSE 'refused'
    END;

-- _sqlanon_from_root(path): a path to the root the other way round. DuckDB's list_reverse is a macro, which may be misled.
CREATE MACRO _sqlanon_from_root(path) AS list_select(path, range(len(path), 0, -1));

-- A macro's typed parameters choose at bind time, and are cast to their type; so the choice is made by a witness, and
-- the value beside it keeps its own type (an ENUM goes with VARCHAR). An implicit cast is preferred to the untyped
-- case, so every type has to be listed.

-- _sqlanon_microseconds(interval): its length as DuckDB compares intervals, with months of 30 days. epoch() has longer years, and epoch_us()
-- fails, with the value in its message, where a BIGINT ends.
CREATE MACRO _sqlanon_microseconds(v) AS
    ((CAST(datepart('year', v) AS HUGEINT) * 12 + datepart('month', v)) * 30 + datepart('day', v)) * 86400000000
    + (CAST(datepart('hour', v) AS HUGEINT) * 60 + datepart('minute', v)) * 60000000
    + datepart('microsecond', v);

-- _sqlanon_measurable(value, value): the value in a type that Arrow hands over as a number, exactly; whole numbers of any size as text.
CREATE MACRO
    _sqlanon_measurable(w HUGEINT, v) AS CAST(v AS VARCHAR),
    (w UHUGEINT, v) AS CAST(v AS VARCHAR),
    (w BIGNUM, v) AS CAST(v AS VARCHAR),
    (w INTERVAL, v) AS CAST(_sqlanon_microseconds(v) AS VARCHAR),
    (w TIME_NS, v) AS epoch_ns(v),
    (w TINYINT, v) AS v,
    (w SMALLINT, v) AS v,
    (w INTEGER, v) AS v,
    (w BIGINT, v) AS v,
    (w UTINYINT, v) AS v,
    (w USMALLINT, v) AS v,
    (w UINTEGER, v) AS v,
    (w UBIGINT, v) AS v,
    (w FLOAT, v) AS v,
    (w DOUBLE, v) AS v,
    (w DECIMAL, v) AS v,
    (w DATE, v) AS v,
    (w TIME, v) AS v,
    (w TIMESTAMP, v) AS v,
    (w TIMESTAMP_S, v) AS v,
    (w TIMESTAMP_MS, v) AS v,
    (w TIMESTAMP_NS, v) AS v,
    (w TIMESTAMPTZ, v) AS v,
    (w VARCHAR, v) AS v,
    (w BOOLEAN, v) AS v,
    (w UUID, v) AS v,
    (w, v) AS v;

-- _sqlanon_measure(type_name, kind, text): how far along its axis a number, date or time of this type lies; NULL if it is none. A whole
-- number that no DOUBLE can hold lies at its end.
CREATE MACRO _sqlanon_measure(type_name, kind, text) AS
    CASE
        WHEN kind <> 'range' THEN CAST(NULL AS DOUBLE)
        WHEN text IN ('infinity', '-infinity') THEN TRY_CAST(text AS DOUBLE)
        WHEN type_name = 'INTERVAL' THEN CAST(_sqlanon_microseconds(TRY_CAST(text AS INTERVAL)) AS DOUBLE)
        WHEN type_name = 'TIME' THEN CAST(epoch_us(TRY_CAST(text AS TIME)) AS DOUBLE)
        WHEN type_name = 'TIME_NS' THEN CAST(epoch_ns(TRY_CAST(text AS TIME_NS)) AS DOUBLE)
        WHEN type_name = 'TIMESTAMP WITH TIME ZONE' THEN CAST(epoch_us(TRY_CAST(text AS TIMESTAMPTZ)) AS DOUBLE)
        WHEN type_name = 'DATE' THEN CAST(TRY_CAST(text AS DATE) - DATE '1970-01-01' AS DOUBLE)
        WHEN type_name LIKE 'TIMESTAMP%' THEN CAST(epoch_us(TRY_CAST(text AS TIMESTAMP)) AS DOUBLE)
        WHEN type_name = 'FLOAT' THEN CAST(TRY_CAST(text AS FLOAT) AS DOUBLE)
        WHEN type_name = 'BIGNUM' AND isinf(TRY_CAST(text AS DOUBLE))
            THEN CASE WHEN text LIKE '-%' THEN -1.7976931348623157e308 ELSE 1.7976931348623157e308 END
        ELSE TRY_CAST(text AS DOUBLE)
    END;

-- _sqlanon_digits(type_name, text): a number in full, or a time in units of its type, as text; NULL for floating-point numbers.
CREATE MACRO _sqlanon_digits(type_name, text) AS
    CASE
        WHEN type_name = 'INTERVAL' THEN CAST(_sqlanon_microseconds(TRY_CAST(text AS INTERVAL)) AS VARCHAR)
        WHEN type_name = 'TIMESTAMP_NS' THEN CAST(epoch_ns(TRY_CAST(text AS TIMESTAMP_NS)) AS VARCHAR)
        WHEN type_name = 'TIMESTAMP WITH TIME ZONE' THEN CAST(epoch_us(TRY_CAST(text AS TIMESTAMPTZ)) AS VARCHAR)
        WHEN type_name LIKE 'TIMESTAMP%' THEN CAST(epoch_us(TRY_CAST(text AS TIMESTAMP)) AS VARCHAR)
        WHEN NOT type_name IN ('FLOAT', 'DOUBLE') THEN text
    END;

-- _sqlanon_spelling(value, value): of values that DuckDB holds equal (COLLATE NOCASE; 1 month and 30 days) one, whatever their order.
CREATE MACRO
    _sqlanon_spelling(w VARCHAR, v) AS arg_min(v, encode(CAST(v AS VARCHAR))),
    (w INTERVAL, v) AS arg_min(v, encode(CAST(v AS VARCHAR))),
    (w, v) AS any_value(v);

-- _sqlanon_plain(value, value): the value as it may be published. −0.0 and 0.0 are one value that prints in two ways. The type of an
-- ENUM lists values that no published row has, so it becomes text, alone and in a list (which DuckDB binds as VARCHAR[] then).
CREATE MACRO
    _sqlanon_plain(w FLOAT, v) AS v + CAST(0 AS FLOAT),
    (w DOUBLE, v) AS v + CAST(0 AS DOUBLE),
    (w TINYINT, v) AS v,
    (w SMALLINT, v) AS v,
    (w INTEGER, v) AS v,
    (w BIGINT, v) AS v,
    (w HUGEINT, v) AS v,
    (w UTINYINT, v) AS v,
    (w USMALLINT, v) AS v,
    (w UINTEGER, v) AS v,
    (w UBIGINT, v) AS v,
    (w UHUGEINT, v) AS v,
    (w BIGNUM, v) AS v,
    (w DECIMAL, v) AS v,
    (w DATE, v) AS v,
    (w TIME, v) AS v,
    (w TIME_NS, v) AS v,
    (w INTERVAL, v) AS v,
    (w TIMESTAMP, v) AS v,
    (w TIMESTAMP_S, v) AS v,
    (w TIMESTAMP_MS, v) AS v,
    (w TIMESTAMP_NS, v) AS v,
    (w TIMESTAMPTZ, v) AS v,
    -- not a CAST, which would take the type from a JSON
    (w VARCHAR, v) AS coalesce(v, CAST(NULL AS VARCHAR)),
    (w VARCHAR[], v) AS coalesce(v, CAST(NULL AS VARCHAR[])),
    (w BOOLEAN, v) AS v,
    (w UUID, v) AS v,
    (w BLOB, v) AS v,
    (w BIT, v) AS v,
    (w, v) AS v;

-- _sqlanon_has_enum(type_name): whether a type still holds an ENUM, as a STRUCT or MAP may. Names in double quotes do not count.
CREATE MACRO _sqlanon_has_enum(type_name) AS
    contains(regexp_replace(type_name, '"[^"]*"', '', 'g'), 'ENUM(');

-- _sqlanon_type_outline(type_name): a type without the values that an ENUM lists, which are data; alone, or inside of another type.
CREATE MACRO _sqlanon_type_outline(type_name) AS
    regexp_replace(type_name, 'ENUM\((''([^'']|'''')*''(, )?)*\)', 'ENUM', 'g');

-- _sqlanon_answer(returned): the answer of an Arrow function, or the error that it has in its place. Evaluated once, as a list of one.
CREATE MACRO _sqlanon_answer(returned) AS
    list_transform(
        [returned],
        lambda one: CASE
            WHEN struct_extract(one, 'problem') IS NULL THEN struct_extract(one, 'answer')
            ELSE error(struct_extract(one, 'problem'))
        END
    )[1];

-- _sqlanon_text_if_untyped(value, value): the value. What has no type, as a column of nothing but NULL, becomes text, and so does an ENUM.
CREATE MACRO
    _sqlanon_text_if_untyped(w VARCHAR, v) AS CAST(v AS VARCHAR),
    (w, v) AS v;
