-- Ad hoc verification: somebody hands you a table, and you want to know how private it is. Nothing is published here.
-- Run it with: sqlanon sql verify.sql

-- The table that somebody sent. Any table will do, with ranges, labels, stars or plain values.
CREATE TABLE received AS
SELECT (age // 10 * 10) || 's' AS age, sex, "marital-status" AS marital, occupation FROM adult(complete := true);

SET VARIABLE qi = ['age', 'sex', 'marital'];

-- Which columns are there, and what do they look like?
SELECT "column", distinct_values, looks_like, role FROM "columns"('received');

-- Every measure, of the weakest class.
FROM privacy('received', getvariable('qi'), 'occupation');

-- How likely can people be found again?
FROM risk('received', getvariable('qi'));

-- Which classes are too small, or too much alike? The worst first.
SELECT age, sex, marital, size, top_count, broken
FROM violations('received', getvariable('qi'), 'occupation', k := 5, l := 2)
ORDER BY size LIMIT 5;

-- How far could it have gone? No l-diverse release has an l above max_l.
FROM eligibility('received', 'occupation');

-- What would have to be done? This release passes: the last statement finds no class that breaks a bound.
CREATE TABLE repaired AS FROM ldiverse('received', getvariable('qi'), 'occupation', 5);
FROM violations('repaired', getvariable('qi'), 'occupation', k := 5, l := 5);
