-- shares: what each published sensitive value stands for: base values, with the share of each. As it stands here, a value stands for
-- itself, and `*` for all others alike. DuckDB, which reads lists and taxonomies too, has this step from sqlanon/verify/base_values.py, and
-- the promise of a release has it from there.
SELECT spread.value AS label, spread.value, CAST(1 AS DOUBLE) AS share
FROM spread
CROSS JOIN whole
WHERE NOT star(spread.value) OR whole.distinct_values = 1
UNION ALL
SELECT unknown.value, spread.value, 1.0 / real(nullif(whole.distinct_values - 1, 0))
FROM spread AS unknown
CROSS JOIN spread
CROSS JOIN whole
WHERE star(unknown.value) AND NOT star(spread.value)
