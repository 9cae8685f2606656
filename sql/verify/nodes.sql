-- nodes: for each leaf of the sensitive attribute's taxonomy, the node it is below at each level (0: the leaf itself) and that
-- node's parent; height is the level of the root. NULL, which needs no leaf, hangs from the root.
SELECT path[1] AS leaf, level, len(path) - 1 AS height, path[level + 1] AS node, path[level + 2] AS parent
FROM (SELECT path, unnest(range(0, len(path) - 1)) AS level FROM taxonomy_value) AS steps
UNION ALL
SELECT NULL, max(len(path)) - 2, max(len(path)) - 1, NULL, max(path[-1])
FROM taxonomy_value
