-- members, with wildcards: a class has the rows of every class that could be the same; its own are marked.
SELECT pairs.class, given.value, given.person, CASE WHEN pairs.class = keys.class THEN 1 ELSE 0 END AS own
FROM given
JOIN keys ON same(given.qi, keys.qi)
JOIN pairs ON pairs.other = keys.class
