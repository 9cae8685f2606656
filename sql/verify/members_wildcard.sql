-- members, with wildcards: a class has the rows of every class that could be the same; those that certainly belong to it are marked.
SELECT pairs.class, records.value, records.person, CASE WHEN pairs.class = keys.class THEN 1 ELSE 0 END AS certain
FROM records
JOIN keys ON same(records.qi, keys.qi)
JOIN pairs ON pairs.other = keys.class
