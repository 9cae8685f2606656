-- members: which rows are in which class.
SELECT keys.class, given.value, given.person
FROM given
JOIN keys ON same(given.qi, keys.qi)
