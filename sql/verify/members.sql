-- members: which rows are in which class. Classes are numbered from 1; the condition is there for DuckDB, which otherwise
-- takes the classes to be as many as the rows, and may build its hash table of the rows.
SELECT keys.class, records.value, records.person
FROM records
JOIN keys ON same(records.qi, keys.qi)
WHERE keys.class >= 1
