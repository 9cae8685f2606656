-- What is wrong with a taxonomy, in words that every function uses. A taxonomy is the path of each leaf to the root: the leaf, then ever
-- more general labels. Level 0 is the leaf's.

-- _sqlanon_tree_fault(paths): why a taxonomy is no tree; NULL for one that is. A label has one parent if there are no more pairs of both
-- than labels.
CREATE MACRO _sqlanon_tree_fault(paths) AS
    CASE
        WHEN coalesce(len(paths), 0) = 0 THEN 'is empty.'
        WHEN len(paths[1]) < 2 THEN 'has one column only. It needs the leaf first, then one column per level.'
        WHEN len(list_filter(paths, lambda path: len(list_filter(path, lambda label: label IS NULL)) > 0)) > 0
            THEN 'is not a tree: a label is NULL. Fill every level of every row.'
        ELSE coalesce(
            list_extract(list_transform(
                list_filter(
                    range(0, len(paths[1]) - 1),
                    lambda level: len(list_distinct(list_transform(paths, lambda path: array_slice(path, level + 1, level + 2))))
                        > len(list_distinct(list_transform(paths, lambda path: list_extract(path, level + 1))))
                ),
                lambda level: 'is not a tree: one label of level ' || level || ' lies below two different ones of level ' || (level + 1) || '.'
            ), 1),
            CASE
                WHEN len(list_distinct(list_transform(paths, lambda path: path[-1]))) > 1
                    THEN 'is not a tree: its last level has more than one value.'
            END
        )
    END;

-- _sqlanon_leaf_fault(missing): the same of one that lacks leaves for so many values.
CREATE MACRO _sqlanon_leaf_fault(missing) AS
    'does not cover the data: ' || missing || CASE WHEN missing > 1 THEN ' distinct values have' ELSE ' distinct value has' END
    || ' no leaf. Leaves are matched by their text. If it comes from a CSV file, was its first row taken for a header (header := false)?';
