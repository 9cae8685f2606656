-- members, with wildcards, for other engines: records has the numbers of classes already. One join less keeps PostgreSQL,
-- which knows nothing of how often numbers repeat, from expecting billions of rows.
SELECT pairs.class, records.value, records.person, CASE WHEN pairs.class = records.class THEN 1 ELSE 0 END AS certain
FROM records
JOIN pairs ON pairs.other = records.class
