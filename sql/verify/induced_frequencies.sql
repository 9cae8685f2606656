-- induced_frequencies(tbl, qi, sa): per class, every base value with its induced frequency (0 too), rank and the sum so far.
SELECT
    qi, value, frequency, rank,
    sum(frequency) OVER (PARTITION BY class ORDER BY rank ASC ROWS UNBOUNDED PRECEDING) AS cumulative
FROM (
    SELECT
        keys.*, as_published(base_values.value) AS value, coalesce(frequencies.frequency, 0) AS frequency,
        row_number() OVER (
            PARTITION BY keys.class
            ORDER BY floor(coalesce(frequencies.frequency, 0) * 1e12 + 0.5) DESC, base_values.code ASC
        ) AS rank
    FROM keys
    CROSS JOIN base_values
    LEFT JOIN frequencies ON frequencies.class = keys.class AND same(frequencies.value, base_values.value)
) AS ranked
ORDER BY ranked.qi ASC, ranked.rank ASC
