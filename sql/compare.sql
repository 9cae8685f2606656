-- Compare: what does a reader of two releases of one table learn?

-- _sqlanon_clock(text): a time of day or an interval in microseconds; NULL for any other text.
CREATE MACRO _sqlanon_clock(label) AS
    CASE WHEN _sqlanon_is_clock(label) THEN CAST(_sqlanon_microseconds(TRY_CAST(label AS INTERVAL)) AS DOUBLE) END;
