-- eligibility(tbl, sa): how diverse can a release of this table be? One row: no l above max_l, rows / top_count rounded
-- down, can be reached; optimal_l is at least 2; next_step is what to try, in words.
SELECT
    "rows", distinct_values, top_count, max_l,
    CASE WHEN distinct_values > 0 THEN greatest(2, max_l) END AS optimal_l,
    next_step("rows", distinct_values, top_count, max_l) AS next_step
FROM (
    SELECT
        CAST(coalesce(sum(n), 0) AS BIGINT) AS "rows",
        count(*) AS distinct_values,
        max(n) AS top_count,
        CAST(floor(real(sum(n)) / real(max(n))) AS BIGINT) AS max_l
    FROM spread
) AS counted
