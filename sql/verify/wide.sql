-- wide: published sensitive values that stand for many base values, numbered. A class that publishes one of them has most of these base
-- values with one and the same frequency; they are counted together, and not one by one, in kinds.
SELECT label, row_number() OVER (ORDER BY label ASC) AS number
FROM shares
WHERE share > 0
GROUP BY label
HAVING count(*) > 16
