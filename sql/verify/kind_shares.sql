-- kind_shares: per wide published value and kind: the share of each base value of that kind, and how many these are.
SELECT shares.label, kinds.kind, min(shares.share) AS share, count(*) AS size
FROM shares
JOIN wide ON same(wide.label, shares.label)
JOIN kinds ON same(kinds.value, shares.value)
WHERE shares.share > 0
GROUP BY shares.label, kinds.kind
