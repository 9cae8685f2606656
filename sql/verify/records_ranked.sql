-- records, for other engines: the rows to judge, each with the number of its class, and with a number for its sensitive
-- value, in the values' order and NULL last; published is the value itself. Ranks take NULL for a value, and not every
-- engine can hash IS NOT DISTINCT FROM: a join by it would compare all rows with all classes. `unranked` are those of the
-- table.
SELECT
    qi,
    person,
    value AS published,
    dense_rank() OVER (ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END ASC, value ASC) AS value,
    dense_rank() OVER (ORDER BY qi ASC) AS class
FROM unranked
