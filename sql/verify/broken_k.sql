-- broken_k: the classes of fewer than k people, and how many are missing.
SELECT class, real(bound('k') - size) AS by_how_much
FROM sizes
WHERE size < bound('k')
