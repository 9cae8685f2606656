-- risk(tbl, qi, threshold): one row. The risk of a row is 1 / the size of its class.
--   prosecutor       the highest risk of any row                 marketer       the average risk: classes / people
--   above_threshold  the share of people whose risk is above     unique_people  people who are alone in their class
SELECT
    CAST(coalesce(sum(size), 0) AS BIGINT) AS people,
    count(*) AS classes,
    min(size) AS smallest_class,
    1.0 / real(min(size)) AS prosecutor,
    real(count(*)) / real(sum(size)) AS marketer,
    real(sum(CASE WHEN size * bound('threshold') < 1 THEN size ELSE 0 END)) / real(sum(size)) AS above_threshold,
    count(CASE WHEN size = 1 THEN 1 END) AS unique_people
FROM sizes
