-- broken_nothing: what a bound that was not given breaks.
SELECT class, CAST(NULL AS DOUBLE) AS by_how_much
FROM keys
WHERE FALSE
