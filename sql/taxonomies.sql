-- What is wrong with a taxonomy, in words that every function uses. A taxonomy is the path of each leaf to the root: the leaf, then ever
-- more general labels. Level 0 is the leaf's.

-- _sqlanon_tree_fault(paths): why a taxonomy is no tree; NULL for one that is. A label has one parent if there are no more pairs of both
-- than labels.
CREATE MACRO _sqlanon_tree_fault(paths) AS
    CASE
        WHEN coalesce(len(paths), 0) = 0 THEN 'is empty.'
        WHEN len(paths[1]) < 2 THEN 'has one column only. It needs the leaf first, then one column per level.'
        WHEN len(list_filter(paths, lambda path: len(list_filter(path, lambda label: label IS NULL)) > 0)) > 0
            THEN 'is not a tree: a label is NULL. Fill every level of every row. Only the last ones may be missing.'
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

-- How taxonomies are read: rows of uneven length become paths of one length, and files become rows.

-- _sqlanon_last_label(labels): the position of the last label that is not NULL and not empty; NULL if there is none.
CREATE MACRO _sqlanon_last_label(labels) AS
    list_aggregate(list_transform(labels, lambda label, position: CASE WHEN label <> '' THEN position END), 'max');

-- _sqlanon_reaching_root(labels): a row without the NULLs and empty labels at its end, where a leaf reached the root sooner. A row that would
-- be left with no more than its leaf stays as it is.
CREATE MACRO _sqlanon_reaching_root(labels) AS
    CASE
        WHEN coalesce(_sqlanon_last_label(labels), 0) < 2 THEN labels
        ELSE array_slice(labels, 1, _sqlanon_last_label(labels))
    END;

-- _sqlanon_padded(path, depth): the path with its leaf repeated, so that it has this length: levels align at the root.
CREATE MACRO _sqlanon_padded(path, depth) AS
    list_concat(list_transform(range(depth - len(path)), lambda level: path[1]), path);

-- _sqlanon_lines(content): the lines of a file that are not blank, without a byte order mark.
CREATE MACRO _sqlanon_lines(content) AS
    list_filter(string_split_regex(ltrim(content, chr(65279)), '\r\n|\n|\r'), lambda line: trim(line) <> '');

-- _sqlanon_fields(line, separator): the fields of a line, NULL where there is nothing. One in double quotes may have the separator in it, and
-- double quotes twice.
CREATE MACRO _sqlanon_fields(line, separator) AS
    list_transform(
        CASE separator
            WHEN ';' THEN regexp_extract_all(line || ';', '("(?:[^"]|"")*"|[^;]*);', 1)
            WHEN ',' THEN regexp_extract_all(line || ',', '("(?:[^"]|"")*"|[^,]*),', 1)
            ELSE regexp_extract_all(line || chr(9), '("(?:[^"]|"")*"|[^\t]*)\t', 1)
        END,
        lambda field: CASE
            WHEN regexp_full_match(field, '".*"') THEN replace(array_slice(field, 2, -2), '""', '"')
            ELSE nullif(field, '')
        END
    );
