-- risk(tbl, qi, threshold): one row. The risk of a person is 1 / the size of their class, the smallest if they are in several.
--   prosecutor       the highest risk of a person                marketer       the average risk
--   above_threshold  the share of people whose risk is above     unique_people  people who are alone in a class
SELECT
    CAST(coalesce(sum(people), 0) AS BIGINT) AS people,
    CAST(coalesce(sum(classes), 0) AS BIGINT) AS classes,
    min(size) AS smallest_class,
    1.0 / real(min(size)) AS prosecutor,
    real(sum(exact(real(people) / real(size)))) / real(sum(people)) AS marketer,
    real(sum(CASE WHEN 1.0 / real(size) > real(bound('threshold')) THEN people ELSE 0 END)) / real(sum(people)) AS above_threshold,
    CAST(coalesce(sum(CASE WHEN size = 1 THEN people ELSE 0 END), 0) AS BIGINT) AS unique_people
FROM risk_sizes
