-- branches: per class and node that it has rows below: by how much its share is above the table's, times rows of both.
SELECT
    base_cells.class, sizes.n AS size, nodes.level, nodes.height, nodes.parent,
    weights.n AS node_n, weights.parent_n,
    real(sum(exact(base_cells.n))) * whole.total - weights.n * sizes.n AS surplus
FROM base_cells
JOIN sizes ON sizes.class = base_cells.class
JOIN nodes ON same(nodes.leaf, base_cells.value)
JOIN weights ON weights.level = nodes.level AND same(weights.node, nodes.node)
CROSS JOIN whole
GROUP BY base_cells.class, sizes.n, nodes.level, nodes.height, nodes.node, nodes.parent, weights.n, weights.parent_n, whole.total
