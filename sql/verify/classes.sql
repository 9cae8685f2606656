-- classes: the measures of each class. With q = n / class rows, the share of a value in the class, and p = n / all rows:
--   entropy      = -sum(q ln q), in nats; ln(distinct values) where all are equally frequent
--   entropy_l    = exp(entropy); a whole number where it is one but for the rounding of logarithms
--   t_distance   = sum |q - p| / 2 over all values of the table; values that the class lacks add p / 2
--   rise, loss   = the largest (q - p) / p and the smallest q / p among the values of the class
--   beyond       = 1 if some share rises by (q - p) / p > -ln p, else 0. One that rises to q = 1 always does, as 1 / p - 1 is more
--                  than -ln p: there a logarithm next to 0 is not asked
SELECT
    class, size, distinct_values, top_count, n, top_n, entropy,
    CASE
        WHEN uniform THEN real(distinct_values)
        WHEN abs(exp(entropy) - round(exp(entropy))) < 1e-12 * exp(entropy) THEN round(exp(entropy))
        ELSE exp(entropy)
    END AS entropy_l,
    t_distance, rise, loss, beyond
FROM (
    SELECT
        cells.class,
        sizes.size,
        sizes.n,
        count(*) AS distinct_values,
        max(cells.people) AS top_count,
        max(cells.n) AS top_n,
        min(cells.n) = max(cells.n) AS uniform,
        CASE
            WHEN min(cells.n) = max(cells.n) THEN ln(real(count(*)))
            ELSE ln(real(sizes.n)) - real(sum(exact(cells.n * ln(real(cells.n))))) / real(sizes.n)
        END AS entropy,
        real(sum(abs(cells.n * whole.total - spread.n * sizes.n)) + sizes.n * (whole.total - sum(spread.n)))
            / real(2 * sizes.n * whole.total) AS t_distance,
        max(real(cells.n * whole.total - spread.n * sizes.n) / real(spread.n * sizes.n)) AS rise,
        min(real(cells.n * whole.total) / real(spread.n * sizes.n)) AS loss,
        max(
            CASE
                WHEN cells.n * whole.total <= spread.n * sizes.n THEN 0
                WHEN cells.n = sizes.n THEN 1
                WHEN real(cells.n * whole.total - spread.n * sizes.n) / real(spread.n * sizes.n) > spread.surprise THEN 1
                ELSE 0
            END
        ) AS beyond
    FROM cells
    JOIN sizes ON sizes.class = cells.class
    JOIN spread ON same(spread.value, cells.value)
    CROSS JOIN whole
    GROUP BY cells.class, sizes.size, sizes.n, whole.total
) AS measured
