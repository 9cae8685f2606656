-- Anatomy's two tables: quasi-identifiers stay exact, and only the link to the sensitive value is hidden. One table says
-- who is in which group, the other which values a group has. Files are written to the working directory.
-- Run it with: sqlanon sql anatomy.sql

CREATE TABLE people AS SELECT age, gender, education, occupation FROM census(3000);

-- One draw: without a seed, a second statement would be a second release of the same people.
CREATE TABLE anatomized AS
FROM ldiverse('people', ['age', 'gender', 'education'], 'occupation', 4, algo := 'anatomy', format := 'typed');

-- The quasi-identifier table: one row per person. Typed values are ranges of one value, and lists of one value.
CREATE TABLE who AS
SELECT group_id, age.lo AS age, gender[1] AS gender, education.lo AS education FROM anatomized;

-- The sensitive table: how often each value occurs in a group.
CREATE TABLE what AS
SELECT group_id, value AS occupation, count(*) AS people
FROM (SELECT DISTINCT group_id, occupation FROM anatomized), unnest(occupation) AS items(value)
GROUP BY ALL;

COPY (FROM who ORDER BY ALL) TO 'who.parquet';
COPY (FROM what ORDER BY ALL) TO 'what.parquet';

-- An analyst joins them: each value of a group counts by its share.
SELECT what.occupation, sum(what.people / size.people) AS estimate
FROM who
JOIN what USING (group_id)
JOIN (SELECT group_id, sum(people) AS people FROM what GROUP BY group_id) AS size USING (group_id)
WHERE who.age < 30
GROUP BY ALL ORDER BY estimate DESC, occupation LIMIT 5;

-- The check: a group in which one value takes more than a quarter. No rows.
SELECT group_id, max(people) / sum(people) AS share FROM what GROUP BY group_id HAVING max(people) * 4 > sum(people);
