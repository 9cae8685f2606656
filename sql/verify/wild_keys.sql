-- wild_keys: with wildcards, the classes that have one. A step of its own, which is read once and not again for each class.
SELECT class, qi
FROM keys
WHERE wild(qi)
