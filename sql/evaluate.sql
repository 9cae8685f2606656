-- Evaluate: what a release costs against its source. Each function hands its arguments to the planner, which answers, at bind
-- time, with one statement.

-- _sqlanon_measure(type_name, text): how far along its axis a number, date or time lies; NULL if it is none.
CREATE OR REPLACE TEMP MACRO _sqlanon_measure(type_name, text) AS
    CASE
        WHEN text IN ('infinity', '-infinity') THEN TRY_CAST(text AS DOUBLE)
        WHEN type_name = 'INTERVAL' THEN epoch(TRY_CAST(text AS INTERVAL))
        WHEN type_name IN ('TIME', 'TIME_NS') THEN CAST(epoch_us(TRY_CAST(text AS TIME)) AS DOUBLE)
        WHEN type_name = 'TIMESTAMP WITH TIME ZONE' THEN CAST(epoch_us(TRY_CAST(text AS TIMESTAMPTZ)) AS DOUBLE)
        WHEN type_name = 'DATE' OR type_name LIKE 'TIMESTAMP%' THEN CAST(epoch_us(TRY_CAST(text AS TIMESTAMP)) AS DOUBLE)
        WHEN type_name = 'FLOAT' THEN CAST(TRY_CAST(text AS FLOAT) AS DOUBLE)
        ELSE TRY_CAST(text AS DOUBLE)
    END;

-- _sqlanon_cell_items(cell): the values that a typed category lists; NULL for any other cell.
CREATE OR REPLACE TEMP MACRO _sqlanon_cell_items(cell) AS
    CASE WHEN typeof(cell) LIKE '%[]' THEN from_json(to_json(cell), '["VARCHAR"]') END;

-- _sqlanon_cell_ends(kind, cell): [low, high] of what is published for one cell, as text: the ends of a range, else the value twice.
-- [NULL, NULL] where nothing is told.
CREATE OR REPLACE TEMP MACRO _sqlanon_cell_ends(kind, cell) AS
    CASE
        WHEN typeof(cell) LIKE 'STRUCT(%' THEN [to_json(cell) ->> 'lo', to_json(cell) ->> 'hi']
        WHEN typeof(cell) LIKE '%[]' THEN
            CASE WHEN len(_sqlanon_cell_items(cell)) = 1 THEN list_concat(_sqlanon_cell_items(cell), _sqlanon_cell_items(cell))
            ELSE [NULL, NULL] END
        WHEN CAST(cell AS VARCHAR) = '*' THEN [NULL, NULL]
        WHEN kind = 'range' AND CAST(cell AS VARCHAR) LIKE '[%, %]' THEN
            string_split(substr(CAST(cell AS VARCHAR), 2, length(CAST(cell AS VARCHAR)) - 2), ', ')
        ELSE [CAST(cell AS VARCHAR), CAST(cell AS VARCHAR)]
    END;

-- _sqlanon_is_star(cell, domain_size): whether a cell tells nothing: '*', a range without ends, or a list of the whole domain.
CREATE OR REPLACE TEMP MACRO _sqlanon_is_star(cell, domain_size) AS
    CASE
        WHEN cell IS NULL THEN FALSE
        WHEN typeof(cell) LIKE 'STRUCT(%' THEN (to_json(cell) ->> 'lo') IS NULL
        WHEN typeof(cell) LIKE '%[]' THEN len(_sqlanon_cell_items(cell)) > 1 AND len(_sqlanon_cell_items(cell)) >= domain_size
        ELSE CAST(cell AS VARCHAR) = '*'
    END;

-- info_loss(src, rel, qi): one row: the rows of both, classes, dm, gcp, stars, information.
CREATE OR REPLACE TEMP MACRO info_loss(src, rel, qi, sa := NULL, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('info_loss', {'src': src, 'rel': rel, 'qi': qi, 'sa': sa, 'taxonomy': taxonomy}));

-- attribute_loss(src, rel, qi): one row per quasi-identifier: its ncp, stars and information.
CREATE OR REPLACE TEMP MACRO attribute_loss(src, rel, qi, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('attribute_loss', {'src': src, 'rel': rel, 'qi': qi, 'taxonomy': taxonomy}));
