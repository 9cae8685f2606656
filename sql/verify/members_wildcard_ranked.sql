-- members, with wildcards, for other engines: given has the numbers of classes already. One join less keeps PostgreSQL, which
-- knows nothing of how often numbers repeat, from expecting billions of rows.
SELECT pairs.class, given.value, given.person, CASE WHEN pairs.class = given.class THEN 1 ELSE 0 END AS own
FROM given
JOIN pairs ON pairs.other = given.class
