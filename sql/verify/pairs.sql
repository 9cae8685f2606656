-- pairs: with wildcards, the classes that could be the same: NULL and '*' match anything.
SELECT class, class AS other FROM keys
UNION ALL
SELECT one.class, other.class
FROM wild_keys AS one JOIN keys AS other ON could_be(one.qi, other.qi)
WHERE one.class <> other.class
UNION ALL
SELECT other.class, one.class
FROM wild_keys AS one JOIN keys AS other ON could_be(one.qi, other.qi)
WHERE one.class <> other.class AND NOT wild(other.qi)
