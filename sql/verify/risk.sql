-- risk(tbl, qi, threshold): one row. The risk of a row is 1 / the size of its class.
--   prosecutor       the highest risk of any row                 marketer       the average risk
--   above_threshold  the share of people whose risk is above     unique_people  people who are alone in their class
-- With entities, a person with rows in two classes is counted in both.
SELECT
    CAST(coalesce(sum(own), 0) AS BIGINT) AS people,
    count(*) AS classes,
    min(size) AS smallest_class,
    1.0 / real(min(size)) AS prosecutor,
    sum(real(own) / real(size)) / real(sum(own)) AS marketer,
    real(sum(CASE WHEN size * bound('threshold') < 1 THEN own ELSE 0 END)) / real(sum(own)) AS above_threshold,
    CAST(coalesce(sum(CASE WHEN size = 1 THEN own ELSE 0 END), 0) AS BIGINT) AS unique_people
FROM sizes
