-- members: which rows are in which class. Classes are numbered from 1; the condition is there for DuckDB, which otherwise
-- takes the classes to be as many as the rows, and may build its hash table of the rows.
SELECT keys.class, given.value, given.person
FROM given
JOIN keys ON same(given.qi, keys.qi)
WHERE keys.class >= 1
