-- base_values, for other engines: the values that a person may have, as numbers and as published, and their codes, in order, NULL last.
SELECT shares.value, originals.published, row_number() OVER (ORDER BY shares.value ASC) - 1 AS code
FROM (SELECT DISTINCT value FROM shares) AS shares
JOIN (SELECT DISTINCT value, published FROM records) AS originals ON originals.value = shares.value
