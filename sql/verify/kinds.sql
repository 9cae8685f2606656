-- kinds: the kind of each base value that a wide published value stands for: those of one kind have the same share in each of them.
SELECT value, dense_rank() OVER (ORDER BY signature ASC) AS kind
FROM (
    SELECT shares.value, signature(wide.number, shares.share) AS signature
    FROM shares
    JOIN wide ON same(wide.label, shares.label)
    WHERE shares.share > 0
    GROUP BY shares.value
) AS described
