-- keys: the equivalence classes, numbered. A class is a combination of quasi-identifiers as they stand; NULL is a value.
SELECT row_number() OVER () AS class, qi
FROM (SELECT DISTINCT qi FROM records) AS distinct_keys
