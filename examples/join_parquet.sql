-- Publishing a join of Parquet files: people in one file, their visits in another, the release in a third. People have
-- several visits, so people are counted, not rows. Files are written to the working directory.
-- Run it with: sqlanon sql join_parquet.sql

-- Two files, as they might come from two systems.
COPY (
    SELECT row_number() OVER () AS person, age, gender, education FROM census(2000)
) TO 'people.parquet';
COPY (
    SELECT 1 + hash(i) % 2000 AS person, DATE '2026-01-01' + CAST(hash(i + 1) % 90 AS INTEGER) AS day,
        'd' || (hash(i + 2) % 12) AS diagnosis
    FROM range(5000) AS numbers(i)
) TO 'visits.parquet';

-- A view is as good as a table. What is not named in the call below is not published: neither person nor day is.
CREATE VIEW visits AS
SELECT person, p.age, p.gender, p.education, v.day, v.diagnosis
FROM 'people.parquet' AS p JOIN 'visits.parquet' AS v USING (person);

SET VARIABLE qi = ['age', 'gender', 'education'];

FROM eligibility('visits', 'diagnosis', entity := 'person');

COPY (FROM ldiverse('visits', getvariable('qi'), 'diagnosis', 3, entity := 'person')) TO 'release.parquet';

-- What was written, and what it cost.
FROM privacy('release.parquet', getvariable('qi'), 'diagnosis');
SELECT gcp, avg_class_size FROM info_loss('visits', 'release.parquet', getvariable('qi'));

-- The check, on the file: no rows.
FROM violations('release.parquet', getvariable('qi'), 'diagnosis', k := 3, l := 3);
