-- Certify: one row that says what a release promises, what of it holds, and which release it is.

-- certify(rel, qi, sa): version, created, function, arguments, the columns and bounds, holds, broken, the measures, risk, loss, hashes.
CREATE MACRO certify(
    rel, qi, sa := NULL, k := NULL, l := NULL, entropy_l := NULL, t := NULL, c := NULL, tau := NULL,
    taxonomy := NULL, entity := NULL, nulls := NULL, src := NULL, function := NULL, arguments := NULL
) AS TABLE
    FROM query(_sqlanon_plan('certify', {
        'rel': rel, 'qi': qi, 'sa': sa, 'k': k, 'l': l, 'entropy_l': entropy_l, 't': t, 'c': c, 'tau': tau,
        'taxonomy': taxonomy, 'entity': entity, 'nulls': nulls, 'src': src, 'function': function, 'arguments': arguments
    }));

-- The content hash. docs/certificate.md defines it; tests/twins/content.py is the same in plain Python.

-- _sqlanon_utc(moment): a moment as text, in UTC, whatever the time zone of the session.
CREATE MACRO _sqlanon_utc(moment) AS
    CASE
        WHEN isfinite(moment) THEN CAST(make_timestamp(epoch_us(moment)) AS VARCHAR) || '+00'
        ELSE CAST(moment AS VARCHAR)
    END;

-- _sqlanon_utc_field(name, moment): a field of a struct as DuckDB writes it.
CREATE MACRO _sqlanon_utc_field(name, moment) AS
    '''' || name || ''': ' || CASE
        WHEN moment IS NULL THEN 'NULL'
        WHEN isfinite(moment) THEN '''' || _sqlanon_utc(moment) || ''''
        ELSE CAST(moment AS VARCHAR)
    END;

-- _sqlanon_content_text(type_name, text): the text of a cell that is hashed: DuckDB's own, but for moments, which the session's time zone
-- would change. A range of them is the struct of a typed release.
CREATE MACRO _sqlanon_content_text(type_name, text) AS
    CASE
        WHEN type_name = 'TIMESTAMP WITH TIME ZONE' THEN _sqlanon_utc(TRY_CAST(text AS TIMESTAMPTZ))
        WHEN type_name = 'STRUCT(lo TIMESTAMP WITH TIME ZONE, hi TIMESTAMP WITH TIME ZONE)' AND NOT text IS NULL THEN '{'
            || _sqlanon_utc_field('lo', struct_extract(TRY_CAST(text AS STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ)), 'lo')) || ', '
            || _sqlanon_utc_field('hi', struct_extract(TRY_CAST(text AS STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ)), 'hi')) || '}'
        ELSE text
    END;

-- _sqlanon_content_cell(text): the text with its length in bytes, so that no two rows read the same; a dash is NULL.
CREATE MACRO _sqlanon_content_cell(text) AS
    CASE WHEN text IS NULL THEN '-' ELSE strlen(text) || ':' || text END;

-- _sqlanon_content_row(cells): the hash of a row.
CREATE MACRO _sqlanon_content_row(cells) AS sha256(list_aggregate(cells, 'string_agg', ''));

-- _sqlanon_content_bucket(row_hash): hashes that start alike are put together first: no text gets too long for any number of rows.
CREATE MACRO _sqlanon_content_bucket(row_hash) AS substring(row_hash, 1, 3);

-- _sqlanon_content_together(row_hashes): the hash of one bucket, whatever the order of rows.
CREATE MACRO _sqlanon_content_together(row_hashes) AS sha256(list_aggregate(list_sort(row_hashes, 'ASC', 'NULLS LAST'), 'string_agg', ''));

-- _sqlanon_content_hash(row_count, names, buckets): the hash of all; names are sorted, and written like cells.
CREATE MACRO _sqlanon_content_hash(row_count, names, buckets) AS
    sha256('sqlanon content 1' || chr(10) || row_count || chr(10) || coalesce(list_aggregate(names, 'string_agg', ''), '') || chr(10) || coalesce(buckets, ''));

-- _sqlanon_by_name(names): the places of names in the order of their bytes.
CREATE MACRO _sqlanon_by_name(names) AS
    list_grade_up(list_transform(names, lambda name: encode(name)), 'ASC', 'NULLS LAST');

-- _sqlanon_group_number(text): the number of a group, from 1 up; NULL for anything else.
CREATE MACRO _sqlanon_group_number(text) AS
    CASE WHEN regexp_full_match(text, '[1-9][0-9]{0,17}') THEN CAST(text AS BIGINT) END;

-- _sqlanon_type_outline(type_name): a type without the values that an ENUM lists.
CREATE MACRO _sqlanon_type_outline(type_name) AS
    regexp_replace(type_name, 'ENUM\((''([^'']|'''')*''(, )?)*\)', 'ENUM', 'g');

-- _sqlanon_now(): the time in UTC, to the second.
CREATE MACRO _sqlanon_now() AS make_timestamp(epoch_us(now()) // 1000000 * 1000000);
