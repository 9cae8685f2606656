-- How a published cell is read, in either format, whoever published it. Everybody who reads a release asks here.
--
-- A cell is taken apart into parts, all of them text. A part is one value, or the two ends of a range:
--
--     NULL                                          [[NULL]]
--     *, ['*'], {lo: NULL, hi: NULL}                [['*']]          nothing is told
--     [1, 5] of a number, date or time; {lo, hi}    [['1', '5']]
--     ['a', 'b'], and {a, b} as text                [['a'], ['b']]
--     anything else                                 [['a']]          a value, or a label of a taxonomy
--
-- What a part means is for the reader to look up among the values of the column.

-- _sqlanon_like_list(label): whether a value could be taken for a list, for several items of one, or for the NULL of one.
CREATE MACRO _sqlanon_like_list(label) AS label LIKE '{%}' OR contains(label, ', ') OR label = 'NULL';

-- _sqlanon_labels_at(labels, column_number): the labels of one column, out of those of all columns that have some like lists; NULL for the others.
CREATE MACRO _sqlanon_labels_at(labels, column_number) AS
    struct_extract(list_extract(list_filter(labels, lambda one: struct_extract(one, 'column_number') = column_number), 1), 'labels');

-- _sqlanon_joined(pieces, start, size): some of the pieces that stood between commas, together again.
CREATE MACRO _sqlanon_joined(pieces, start, size) AS
    list_aggregate(array_slice(pieces, start, start + size - 1), 'string_agg', ', ');

-- _sqlanon_items(pieces, labels): the items of a list, from what stands between its commas, where values may hold commas: from the left, each
-- is the longest of the labels that lets the rest be read. If there is no way, the pieces. `labels` has no value whose pieces are all values.
CREATE MACRO _sqlanon_items(pieces, labels) AS
    CASE
        WHEN list_has_all(labels, pieces) THEN pieces
        -- readings[i + 1] holds the items of the last i pieces, or NULL
        ELSE coalesce(list_reduce(
            list_transform(pieces, lambda piece: CAST([] AS VARCHAR[][])),
            lambda readings, piece: list_concat(readings, [list_extract(list_filter(
                list_transform(range(len(readings), 0, -1), lambda size: CASE
                    WHEN NOT list_extract(readings, len(readings) - size + 1) IS NULL
                        AND list_contains(labels, _sqlanon_joined(pieces, len(pieces) - len(readings) + 1, size))
                        THEN list_concat(
                            [_sqlanon_joined(pieces, len(pieces) - len(readings) + 1, size)],
                            list_extract(readings, len(readings) - size + 1)
                        )
                END),
                lambda reading: NOT reading IS NULL
            ), 1)]),
            [CAST([] AS VARCHAR[])]
        )[-1], pieces)
    END;

-- _sqlanon_braced_items(cell, labels): the items of {a, b, c}. `labels` has the values of the column if some are like lists, else NULL.
CREATE MACRO _sqlanon_braced_items(cell, labels) AS
    CASE
        WHEN labels IS NULL THEN list_transform(string_split(cell[2:-2], ', '), lambda item: nullif(item, 'NULL'))
        ELSE list_transform(
            _sqlanon_items(string_split(cell[2:-2], ', '), list_concat(labels, ['NULL'])),
            lambda item: CASE WHEN item <> 'NULL' OR list_contains(labels, 'NULL') THEN item END
        )
    END;

-- _sqlanon_range_parts(cell): the ends of [a, b], or the text.
CREATE MACRO _sqlanon_range_parts(cell) AS
    CASE WHEN regexp_full_match(cell, '\[[^,]+, [^,]+\]') THEN [string_split(cell[2:-2], ', ')] ELSE [[cell]] END;

-- _sqlanon_text_parts(kind, labels, cell): the parts of a cell that is text. `kind` and `labels` are those of the column in the source.
-- _sqlanon_text_parts(cell): of one whose source is not known. There {a} is a value, for a list that was written as text has two at least;
-- values hold no commas; and [a, b] are two ends, whatever a and b are.
CREATE MACRO
    _sqlanon_text_parts(kind, labels, cell) AS CASE
        WHEN cell LIKE '{%}' AND NOT coalesce(list_contains(labels, cell), FALSE)
            THEN list_transform(_sqlanon_braced_items(cell, labels), lambda item: [item])
        WHEN kind = 'range' THEN _sqlanon_range_parts(cell)
        ELSE [[cell]]
    END,
    (cell) AS CASE
        WHEN cell LIKE '{%, %}' THEN list_transform(string_split(cell[2:-2], ', '), lambda item: [nullif(item, 'NULL')])
        ELSE _sqlanon_range_parts(cell)
    END;

-- _sqlanon_bound(cell, side): 'lo' or 'hi' of a typed range, as text. JSON would round some numbers.
CREATE MACRO _sqlanon_bound(cell, side) AS
    nullif(trim(regexp_extract(CAST(cell AS VARCHAR), '''' || side || ''': (''[^'']*''|[^,}]*)', 1), ''''), 'NULL');

-- _sqlanon_is_star(cell): whether a cell tells nothing: '*', ['*'], or a range without ends. NULL is no star.
CREATE MACRO
    _sqlanon_is_star(cell VARCHAR) AS coalesce(cell = '*', FALSE),
    -- not = '*': some DuckDB versions compare a TIMESTAMPTZ or BIGNUM with it in that type
    (cell) AS coalesce(CAST(cell AS VARCHAR) IN ('*', '[*]', '{''lo'': NULL, ''hi'': NULL}'), FALSE);

-- _sqlanon_is_wild(cell): whether a cell may be anything: NULL, or a star.
CREATE MACRO _sqlanon_is_wild(cell) AS (cell IS NULL OR _sqlanon_is_star(cell));

-- _sqlanon_listed(cell): how many values a typed list has; NULL for any other cell.
CREATE MACRO
    _sqlanon_listed(cell VARCHAR) AS CAST(NULL AS BIGINT),
    (cell) AS CASE WHEN typeof(cell) LIKE '%]' THEN len(TRY_CAST(cell AS VARCHAR[])) END;

-- _sqlanon_parts(cell, text_parts): the parts of any cell; text has those of `text_parts`. An empty list has one that is nothing.
CREATE MACRO
    _sqlanon_parts(cell VARCHAR, text_parts) AS text_parts,
    (cell, text_parts) AS CASE
        WHEN cell IS NULL THEN [[CAST(NULL AS VARCHAR)]]
        WHEN typeof(cell) LIKE 'STRUCT(%)' THEN
            CASE WHEN _sqlanon_is_star(cell) THEN [['*']] ELSE [[_sqlanon_bound(cell, 'lo'), _sqlanon_bound(cell, 'hi')]] END
        WHEN typeof(cell) LIKE '%]' THEN
            CASE WHEN len(TRY_CAST(cell AS VARCHAR[])) > 0 THEN list_transform(TRY_CAST(cell AS VARCHAR[]), lambda item: [item])
                ELSE [[NULL, CAST(NULL AS VARCHAR)]] END
        ELSE [[CAST(cell AS VARCHAR)]]
    END;

-- _sqlanon_cell_parts(kind, labels, cell): the parts of any cell. _sqlanon_cell_parts(cell): of one whose source is not known.
CREATE MACRO
    _sqlanon_cell_parts(kind, labels, cell) AS _sqlanon_parts(cell, _sqlanon_text_parts(kind, labels, CAST(cell AS VARCHAR))),
    (cell) AS _sqlanon_parts(cell, _sqlanon_text_parts(CAST(cell AS VARCHAR)));
