-- eligibility(tbl, sa): how diverse can a release of this table be? One row: no l above max_l, rows / top_count rounded
-- down, can be reached; optimal_l is at least 2.
SELECT
    CAST(coalesce(sum(n), 0) AS BIGINT) AS "rows",
    count(*) AS distinct_values,
    max(n) AS top_count,
    CAST(floor(real(sum(n)) / real(max(n))) AS BIGINT) AS max_l,
    CASE WHEN count(*) > 0 THEN greatest(2, CAST(floor(real(sum(n)) / real(max(n))) AS BIGINT)) END AS optimal_l
FROM spread
