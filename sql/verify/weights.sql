-- weights: the rows of the table below each node, and below its parent. A row that publishes a label counts in shares below its leaves.
SELECT level, node, parent, n, real(sum(exact(n)) OVER (PARTITION BY level, parent)) AS parent_n
FROM (
    SELECT nodes.level, nodes.node, nodes.parent, real(sum(exact(spread.n * shares.share))) AS n
    FROM spread
    JOIN shares ON same(shares.label, spread.value)
    JOIN nodes ON same(nodes.leaf, shares.value)
    GROUP BY nodes.level, nodes.node, nodes.parent
) AS summed
