-- Certify: one row that says what a release promises, what of it holds, and which release it is.

-- _sqlanon_leads_to_people(role, unique_rows, row_count): whether columns that are published as they are lead to people: they look like an
-- identifier, or most rows have values that no other row has; see udfs/grouping/identifiers.py.
CREATE MACRO _sqlanon_leads_to_people(role, unique_rows, row_count) AS
    coalesce(role = 'identifier' OR (row_count >= 20 AND unique_rows * 2 > row_count), FALSE);

-- The content hash. docs/certificate.md defines it; tests/twins/content.py is the same in plain Python.

-- _sqlanon_utc(moment): a moment as text, in UTC, whatever the time zone of the session. Text in that zone would not do: before 1900 its
-- offset may have seconds, which are not written.
CREATE MACRO _sqlanon_utc(moment) AS
    CASE
        WHEN isfinite(moment) THEN CAST(make_timestamp(epoch_us(moment)) AS VARCHAR) || '+00'
        ELSE CAST(moment AS VARCHAR)
    END;

-- _sqlanon_utc_nanoseconds(microseconds, digits): a moment of TIMESTAMPTZ_NS, a type that not every DuckDB has, in UTC: from the microseconds
-- since 1970 that it is cut to, toward 1970, and from the nine digits of its fraction, which no time zone changes.
CREATE MACRO _sqlanon_utc_nanoseconds(microseconds, digits) AS
    CAST(make_timestamp_ns(
        (microseconds - CASE WHEN (microseconds % 1000000 + 1000000) % 1000000 <> CAST(substring(digits, 1, 6) AS BIGINT) THEN 1 ELSE 0 END) * 1000
        + CAST(substring(digits, 7) AS BIGINT)
    ) AS VARCHAR) || '+00';

-- _sqlanon_fraction(text): the digits of a second's fraction, nine of them.
CREATE MACRO _sqlanon_fraction(text) AS rpad(regexp_extract(text, '\.(\d+)', 1), 9, '0');

-- _sqlanon_has_moments_inside(value): whether a nested value holds moments with a time zone. What a VARIANT holds, its text alone tells in every
-- DuckDB: text in it that reads like such a moment counts as one.
CREATE MACRO _sqlanon_has_moments_inside(v) AS
    regexp_matches(typeof(v), '[( ](TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ_NS)[,)\[]|^(TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ_NS)\[')
    OR (
        regexp_matches(typeof(v), '(^|[( ])VARIANT([,)\[]|$)')
        AND coalesce(regexp_matches(CAST(v AS VARCHAR), '\d\d:\d\d(:\d\d(\.\d+)?)?[+-]\d\d'), FALSE)
    );

-- _sqlanon_zoneless_text(value): the text of a value without moments that the session's time zone would change. Where they are inside of other
-- nested values, there is no hash: it would be another one in another place.
CREATE MACRO _sqlanon_zoneless_text(v) AS
    CASE
        WHEN _sqlanon_has_moments_inside(v) THEN error(
            '[SA104] a column has moments with a time zone inside of a nested value, whose text depends on the time zone of the session. '
            'Cast them to TIMESTAMP, in UTC, or publish them in a column of their own.'
        )
        ELSE CAST(v AS VARCHAR)
    END;

-- _sqlanon_content_text(value, value): the text of a cell that is hashed: DuckDB's own, but for moments, which the session's time zone would
-- change. They may stand alone, in a list, or be the ends of a range in a typed release.
CREATE MACRO
    _sqlanon_content_text(w STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ), v) AS
        CASE
            WHEN typeof(v) = 'STRUCT(lo TIMESTAMP WITH TIME ZONE, hi TIMESTAMP WITH TIME ZONE)' AND NOT v IS NULL THEN CAST(
                {
                    'lo': _sqlanon_utc(CAST(struct_extract(TRY_CAST(v AS STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ)), 'lo') AS TIMESTAMPTZ)),
                    'hi': _sqlanon_utc(CAST(struct_extract(TRY_CAST(v AS STRUCT(lo TIMESTAMPTZ, hi TIMESTAMPTZ)), 'hi') AS TIMESTAMPTZ))
                } AS VARCHAR
            )
            ELSE _sqlanon_zoneless_text(v)
        END,
    (w, v) AS
        CASE
            WHEN typeof(v) = 'TIMESTAMP WITH TIME ZONE' THEN _sqlanon_utc(TRY_CAST(v AS TIMESTAMPTZ))
            WHEN regexp_full_match(typeof(v), 'TIMESTAMP WITH TIME ZONE\[\d*\]') THEN CAST(
                list_transform(TRY_CAST(v AS TIMESTAMPTZ[]), lambda moment: _sqlanon_utc(moment)) AS VARCHAR
            )
            WHEN typeof(v) = 'TIMESTAMPTZ_NS' AND isfinite(TRY_CAST(v AS TIMESTAMPTZ))
                THEN _sqlanon_utc_nanoseconds(epoch_us(TRY_CAST(v AS TIMESTAMPTZ)), _sqlanon_fraction(CAST(v AS VARCHAR)))
            ELSE _sqlanon_zoneless_text(v)
        END;

-- _sqlanon_content_cell(text): the text with its length in bytes, so that no two rows read the same; a dash is NULL.
CREATE MACRO _sqlanon_content_cell(text) AS
    coalesce(strlen(text) || ':' || text, '-');

-- _sqlanon_content_row(cells): the hash of a row.
CREATE MACRO _sqlanon_content_row(cells) AS sha256(list_aggregate(cells, 'string_agg', ''));

-- _sqlanon_content_bucket(row_hash): hashes that start alike are put together first: no text gets too long for any number of rows.
CREATE MACRO _sqlanon_content_bucket(row_hash) AS substring(row_hash, 1, 3);

-- _sqlanon_content_together(row_hashes): the hash of one bucket, whatever the order of rows.
CREATE MACRO _sqlanon_content_together(row_hashes) AS sha256(list_aggregate(list_sort(row_hashes, 'ASC', 'NULLS LAST'), 'string_agg', ''));

-- _sqlanon_content_hash(row_count, names, buckets): the hash of all; names are sorted, and written like cells.
CREATE MACRO _sqlanon_content_hash(row_count, names, buckets) AS
    sha256('sqlanon content 1' || chr(10) || row_count || chr(10) || coalesce(list_aggregate(names, 'string_agg', ''), '') || chr(10) || coalesce(buckets, ''));

-- _sqlanon_by_name(names): the positions of names in the order of their bytes.
CREATE MACRO _sqlanon_by_name(names) AS
    list_grade_up(list_transform(names, lambda name: encode(name)), 'ASC', 'NULLS LAST');

-- _sqlanon_group_number(text): the number of a group, from 1 up; NULL for anything else.
CREATE MACRO _sqlanon_group_number(text) AS
    CASE WHEN regexp_full_match(text, '[1-9][0-9]{0,17}') THEN CAST(text AS BIGINT) END;

-- _sqlanon_now(): the time in UTC, to the second.
CREATE MACRO _sqlanon_now() AS make_timestamp(epoch_us(now()) // 1000000 * 1000000);
