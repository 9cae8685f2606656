-- narrow_shares: the shares of published values that stand for few base values.
SELECT shares.label, shares.value, shares.share
FROM shares
LEFT JOIN wide ON same(wide.label, shares.label)
WHERE shares.share > 0 AND wide.number IS NULL
