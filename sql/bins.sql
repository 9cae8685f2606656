-- Which bin of a numeric taxonomy a value is in. A measure says how far along its axis a value lies (types.sql).

-- _sqlanon_wide_bin(measure, least, greatest, bins): the bin, from 0, if bins of equal width lie between least and greatest. What is
-- scaled down first cannot overflow; numbers up to 2^52 stay exact by it.
CREATE MACRO _sqlanon_wide_bin(measure, least, greatest, bins) AS
    CASE
        WHEN measure <= least OR measure = CAST('-infinity' AS DOUBLE) OR measure IS NULL THEN 0
        WHEN measure >= greatest OR greatest IS NULL THEN bins - 1
        ELSE coalesce(CAST(floor(
            (measure / 1048576 - least / 1048576) * bins / nullif(greatest / 1048576 - least / 1048576, 0)
        ) AS BIGINT), 0)
    END;
