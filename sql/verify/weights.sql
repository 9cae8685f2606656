-- weights: the rows of the table below each node, and below its parent.
SELECT level, node, parent, n, sum(n) OVER (PARTITION BY level, parent) AS parent_n
FROM (
    SELECT nodes.level, nodes.node, nodes.parent, sum(spread.n) AS n
    FROM spread JOIN nodes ON same(nodes.leaf, CAST(spread.value AS VARCHAR))
    GROUP BY nodes.level, nodes.node, nodes.parent
) AS found
