-- base_values: the values that a person may have, and their place in order, NULL last.
SELECT value, row_number() OVER (ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END ASC, value ASC) AS place
FROM shares
GROUP BY value
