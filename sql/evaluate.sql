-- Evaluate: what a release costs against its source. Each function hands its arguments to the planner, which answers, at bind
-- time, with one statement.

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

-- _sqlanon_cell_items(cell): the values that a typed category lists; NULL for ['*'], which lists none, and for any other cell.
CREATE MACRO
    _sqlanon_cell_items(cell VARCHAR) AS CAST(NULL AS VARCHAR[]),
    (cell) AS CASE
        WHEN typeof(cell) LIKE '%[]' AND CAST(cell AS VARCHAR) <> '[*]' THEN from_json(to_json(cell), '["VARCHAR"]')
    END;

-- _sqlanon_marked(listed): a, b with a mark before and after every item, so that items can be told from parts of items.
CREATE MACRO _sqlanon_marked(listed) AS chr(2) || replace(listed, ', ', chr(3) || chr(2)) || chr(3);

-- _sqlanon_braced_items(listed, joined): the items of a, b, c; those that have a comma themselves are joined, longest first, or NULL for none.
CREATE MACRO _sqlanon_braced_items(listed, joined) AS
    CASE
        WHEN joined IS NULL THEN string_split(listed, ', ')
        ELSE string_split(
            list_reduce(
                list_concat([_sqlanon_marked(listed)], joined),
                lambda marked, item: replace(marked, _sqlanon_marked(item), chr(2) || item || chr(3))
            )[2:-2],
            chr(3) || chr(2)
        )
    END;

-- _sqlanon_text_ends(kind, cell): [low, high] of what text publishes: the ends of a range, else the value twice; [NULL, NULL] for '*'.
CREATE MACRO _sqlanon_text_ends(kind, cell) AS
    CASE
        WHEN cell = '*' THEN [NULL, NULL]
        WHEN kind = 'range' AND regexp_full_match(cell, '\[[^,]+, [^,]+\]') THEN string_split(cell[2:-2], ', ')
        ELSE [cell, cell]
    END;

-- _sqlanon_bound(cell, side): 'lo' or 'hi' of a typed range, as text. JSON would round some numbers.
CREATE MACRO _sqlanon_bound(cell, side) AS
    nullif(trim(regexp_extract(CAST(cell AS VARCHAR), '''' || side || ''': (''[^'']*''|[^,}]*)', 1), ''''), 'NULL');

-- _sqlanon_cell_ends(kind, cell, items): the same of any cell, as text; the items are what a typed category lists.
CREATE MACRO
    _sqlanon_cell_ends(kind, cell VARCHAR, items) AS _sqlanon_text_ends(kind, cell),
    (kind, cell, items) AS CASE
        WHEN typeof(cell) LIKE 'STRUCT(%' THEN [_sqlanon_bound(cell, 'lo'), _sqlanon_bound(cell, 'hi')]
        WHEN typeof(cell) LIKE '%[]' THEN CASE WHEN len(items) = 1 THEN list_concat(items, items) ELSE [NULL, NULL] END
        ELSE _sqlanon_text_ends(kind, CAST(cell AS VARCHAR))
    END;

-- _sqlanon_is_star(cell, whole): whether a cell tells nothing: '*', ['*'], a range without ends, or a list of a whole domain, of so many
-- values.
CREATE MACRO
    _sqlanon_is_star(cell VARCHAR, whole) AS coalesce(cell = '*', FALSE),
    (cell, whole) AS CASE
        WHEN cell IS NULL THEN FALSE
        WHEN typeof(cell) LIKE 'STRUCT(%' THEN _sqlanon_bound(cell, 'lo') IS NULL AND _sqlanon_bound(cell, 'hi') IS NULL
        WHEN typeof(cell) LIKE '%[]' THEN
            _sqlanon_cell_items(cell) IS NULL OR len(_sqlanon_cell_items(cell)) > 1 AND len(_sqlanon_cell_items(cell)) >= whole
        -- some DuckDB versions compare a TIMESTAMPTZ with '*' as timestamps, and get NULL
        ELSE coalesce(CAST(cell AS VARCHAR) = '*', FALSE)
    END;

-- info_loss(src, rel, qi): one row: the rows of both, classes, dm, gcp, stars, information.
CREATE MACRO info_loss(src, rel, qi, sa := NULL, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('info_loss', {'src': src, 'rel': rel, 'qi': qi, 'sa': sa, 'taxonomy': taxonomy}));

-- attribute_loss(src, rel, qi): one row per quasi-identifier: its ncp, stars and information.
CREATE MACRO attribute_loss(src, rel, qi, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('attribute_loss', {'src': src, 'rel': rel, 'qi': qi, 'taxonomy': taxonomy}));

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
