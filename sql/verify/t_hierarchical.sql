-- t_hierarchical: per class, the earth mover's distance to the whole table where two values are as far apart as the level of
-- their lowest common ancestor, over the height; a label stands for its leaves, in equal shares. What moves between the children
-- of a node is the smaller of what some have too much and what others lack; children that the class has no row below lack all
-- their rows.
SELECT class, real(sum(exact(moved * (level + 1)))) / real(max(size) * max(total) * max(height)) AS distance
FROM (
    SELECT
        class, level, height, size, whole.total,
        least(
            real(sum(exact(greatest(surplus, 0)))),
            real(sum(exact(greatest(-surplus, 0)))) + size * (max(parent_n) - real(sum(exact(node_n))))
        ) AS moved
    FROM branches CROSS JOIN whole
    GROUP BY class, level, height, size, parent, whole.total
) AS moves
GROUP BY class
