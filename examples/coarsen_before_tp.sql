-- Coarsening before TP: tp leaves rows with equal quasi-identifiers as they are, and puts stars on as few rows as it can.
-- It has nothing to work with if nearly every row is unique. So make columns coarse first, in the table that it gets.
-- Run it with: sqlanon sql coarsen_before_tp.sql

CREATE TABLE people AS FROM adult(complete := true);

-- As they are, many combinations are rare: tp_phases says how many rows would get stars, 19,399 of 45,222.
SELECT 'as they are' AS columns, phase, groups, residue_rows
FROM tp_phases('people', ['age', 'hours-per-week', 'education', 'sex', 'race'], 'occupation', 3);

-- Ages by ten years, hours by twenty, schools as three kinds of degrees.
CREATE VIEW coarse AS
SELECT
    age // 10 * 10 AS age,
    "hours-per-week" // 20 * 20 AS hours,
    CASE
        WHEN education IN ('Bachelors', 'Masters', 'Doctorate', 'Prof-school') THEN 'degree'
        WHEN education IN ('HS-grad', 'Some-college', 'Assoc-acdm', 'Assoc-voc') THEN 'high school'
        ELSE 'less'
    END AS education,
    sex, race, occupation
FROM people;

SET VARIABLE qi = ['age', 'hours', 'education', 'sex', 'race'];

-- Now it is 3,786.
SELECT 'coarse' AS columns, phase, groups, residue_rows FROM tp_phases('coarse', getvariable('qi'), 'occupation', 3);

CREATE TABLE release AS FROM ldiverse('coarse', getvariable('qi'), 'occupation', 3, algo := 'tp');

-- Few rows have stars; all others are exact.
SELECT release_rows, starred_rows, stars FROM info_loss('coarse', 'release', getvariable('qi'));

-- The check: no rows.
FROM violations('release', getvariable('qi'), 'occupation', l := 3);
