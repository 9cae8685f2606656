-- branches: per class and node that it has rows below: by how much its share is above the table's, times rows of both.
SELECT
    cells.class, sizes.n AS size, nodes.level, nodes.height, nodes.parent,
    weights.n AS node_n, weights.parent_n,
    sum(cells.n) * whole.total - weights.n * sizes.n AS surplus
FROM cells
JOIN sizes ON sizes.class = cells.class
JOIN nodes ON same(nodes.leaf, CAST(cells.value AS VARCHAR))
JOIN weights ON weights.level = nodes.level AND same(weights.node, nodes.node)
CROSS JOIN whole
GROUP BY cells.class, sizes.n, nodes.level, nodes.height, nodes.node, nodes.parent, weights.n, weights.parent_n, whole.total
