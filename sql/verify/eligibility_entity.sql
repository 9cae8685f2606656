-- eligibility, with entities: the same for people. top_count are those who have the most frequent value, and max_l is what both
-- the people and their rows allow. Rows without an entity are one person together.
SELECT
    "rows", distinct_values, top_count, max_l,
    CASE WHEN distinct_values > 0 THEN greatest(2, max_l) END AS optimal_l,
    next_step("rows", distinct_values, top_count, max_l) AS next_step
FROM (
    SELECT
        CAST(coalesce(sum(held.n), 0) AS BIGINT) AS "rows",
        count(*) AS distinct_values,
        max(held.people) AS top_count,
        CAST(least(
            floor(real(max(everybody.people)) / real(max(held.people))), floor(real(sum(held.n)) / real(max(held.n)))
        ) AS BIGINT) AS max_l
    FROM (
        SELECT value, count(*) AS people, CAST(sum(n) AS BIGINT) AS n
        FROM (SELECT value, person, count(*) AS n FROM records GROUP BY value, person) AS pairs
        GROUP BY value
    ) AS held
    CROSS JOIN (SELECT count(*) AS people FROM (SELECT DISTINCT person FROM records) AS persons) AS everybody
) AS counted
