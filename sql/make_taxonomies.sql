-- Taxonomies made from the data, in the wide layout, all text: leaf, level_1, …, '*'. Subtrees stand together. And what is wrong with one.

-- _sqlanon_prefix_label(label, keep, width, extended): the first characters of a text, and stars up to the width of the longest. A shorter text
-- stays as it is, unless others extend it.
CREATE MACRO _sqlanon_prefix_label(label, keep, width, extended) AS
    CASE
        WHEN keep = 0 THEN '*'
        WHEN length(label) < keep OR (length(label) = keep AND NOT extended) THEN label
        ELSE "left"(label, keep) || repeat('*', width - keep)
    END;

-- _sqlanon_year_text(day): the year of a day in four digits; in its era, which _sqlanon_era(day) writes as DuckDB does.
CREATE MACRO _sqlanon_year_text(day) AS
    format('{:04d}', CASE WHEN datepart('year', day) > 0 THEN datepart('year', day) ELSE 1 - datepart('year', day) END);

CREATE MACRO _sqlanon_era(day) AS CASE WHEN datepart('year', day) > 0 THEN '' ELSE ' (BC)' END;

-- _sqlanon_month(day), … _sqlanon_decade(day): what a day is part of; infinity is part of itself.
CREATE MACRO _sqlanon_month(day) AS
    coalesce(_sqlanon_year_text(day) || '-' || format('{:02d}', datepart('month', day)) || _sqlanon_era(day), CAST(day AS VARCHAR));

CREATE MACRO _sqlanon_quarter(day) AS
    coalesce(_sqlanon_year_text(day) || '-Q' || datepart('quarter', day) || _sqlanon_era(day), CAST(day AS VARCHAR));

CREATE MACRO _sqlanon_year(day) AS coalesce(_sqlanon_year_text(day) || _sqlanon_era(day), CAST(day AS VARCHAR));

CREATE MACRO _sqlanon_decade(day) AS
    coalesce(array_slice(_sqlanon_year_text(day), 1, -2) || '0s' || _sqlanon_era(day), CAST(day AS VARCHAR));

-- _sqlanon_day_levels(day): the row of a day.
CREATE MACRO _sqlanon_day_levels(day) AS
    {
        'leaf': CAST(day AS VARCHAR),
        'level_1': _sqlanon_month(day),
        'level_2': _sqlanon_quarter(day),
        'level_3': _sqlanon_year(day),
        'level_4': _sqlanon_decade(day),
        'level_5': '*'
    };

-- _sqlanon_moment_levels(moment, day): the row of a moment on this day.
CREATE MACRO _sqlanon_moment_levels(moment, day) AS
    {
        'leaf': CAST(moment AS VARCHAR),
        'level_1': CAST(day AS VARCHAR),
        'level_2': _sqlanon_month(day),
        'level_3': _sqlanon_quarter(day),
        'level_4': _sqlanon_year(day),
        'level_5': _sqlanon_decade(day),
        'level_6': '*'
    };

-- _sqlanon_calendar(value, value): the row of a date or timestamp. The type decides how many columns there are; every type of them is listed: see
-- types.sql. The last case is for types that are refused.
CREATE MACRO
    _sqlanon_calendar(w DATE, v) AS _sqlanon_day_levels(CAST(v AS DATE)),
    (w TIMESTAMP, v) AS _sqlanon_moment_levels(v, CAST(v AS DATE)),
    (w TIMESTAMP_S, v) AS _sqlanon_moment_levels(v, CAST(v AS DATE)),
    (w TIMESTAMP_MS, v) AS _sqlanon_moment_levels(v, CAST(v AS DATE)),
    (w TIMESTAMP_NS, v) AS _sqlanon_moment_levels(v, CAST(v AS DATE)),
    (w TIMESTAMPTZ, v) AS _sqlanon_moment_levels(v, CAST(v AS DATE)),
    (w, v) AS _sqlanon_day_levels(CAST(NULL AS DATE));
