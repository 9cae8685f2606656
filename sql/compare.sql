-- Compare: what does a reader of two releases of one table learn?

-- compare_releases(old, new, qi, sa): one row per pair of classes that may hold the same people, or, with entity, per person, for whom fewer
-- than l sensitive values are possible by both releases, and fewer than by either: old_values, new_values, common_values, candidates, status.
CREATE MACRO compare_releases(old, new, qi, sa, entity := NULL, l := NULL, taxonomy := NULL) AS TABLE
    FROM query(_sqlanon_plan('compare_releases', {
        'old': old, 'new': new, 'qi': qi, 'sa': sa, 'entity': entity, 'l': l, 'taxonomy': taxonomy
    }));

-- _sqlanon_clock(text): a time of day or an interval in microseconds; NULL for any other text.
CREATE MACRO _sqlanon_clock(label) AS
    CASE WHEN _sqlanon_is_clock(label) THEN CAST(_sqlanon_microseconds(TRY_CAST(label AS INTERVAL)) AS DOUBLE) END;
