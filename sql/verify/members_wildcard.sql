-- members, with wildcards: a class has the rows of every class that could be the same.
SELECT pairs.class, given.value, given.person
FROM given
JOIN keys ON same(given.qi, keys.qi)
JOIN pairs ON pairs.other = keys.class
