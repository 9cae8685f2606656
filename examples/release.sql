-- A release model: what a team keeps under version control and runs every night.
CREATE TABLE people AS FROM adult() WHERE workclass IS NOT NULL AND occupation IS NOT NULL;

-- Coarsen what nobody needs in detail before anything else: the algorithm then has less to lose.
CREATE VIEW prepared AS
SELECT age, sex, education, workclass, "hours-per-week" // 10 * 10 AS hours, occupation, "salary-class" AS salary
FROM people;

CREATE TABLE release AS
FROM ldiverse(
    'prepared', ['age', 'sex', 'education', 'workclass', 'hours'], 'occupation', 4,
    taxonomy := {'education': 'adult_taxonomy(''education'')', 'workclass': 'adult_taxonomy(''workclass'')'},
    keep := ['salary']
);

-- The nightly check: any row here is a group in which an occupation takes more than a quarter.
SELECT group_id, max(n) / sum(n) AS share
FROM (SELECT group_id, occupation, count(*) AS n FROM release GROUP BY ALL)
GROUP BY group_id
HAVING max(n) * 4 > sum(n);
