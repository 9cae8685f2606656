-- risk_sizes, with entities: a person with rows in several classes is counted once, in the size of the smallest: there they are
-- most at risk. So a size may have classes and no people. Rows without an entity are one person together.
SELECT counted.size, counted.classes, coalesce(exposed.people, 0) AS people
FROM (SELECT size, count(*) AS classes FROM sizes GROUP BY size) AS counted
LEFT JOIN (
    SELECT size, count(*) AS people
    FROM (
        SELECT records.person, min(sizes.size) AS size
        FROM records
        JOIN keys ON same(records.qi, keys.qi)
        JOIN sizes ON sizes.class = keys.class
        GROUP BY records.person
    ) AS persons
    GROUP BY size
) AS exposed ON exposed.size = counted.size
