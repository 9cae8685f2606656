"""What the published values of a column cover, in codes of the source's domain.

    domain_*     the values that a column can have, in order, each with its code, NULL last: those of the source, or the
                 leaves of its taxonomy
    size_*       one row: how many they are, and how far they reach
    found_*      the distinct published values (cells), with their rows, taken apart
    listed_*     those that list values, with the codes of these
    nodes_*      with a taxonomy: every label, and the leaves below it
    cells_*      the cells, each with what it covers: codes low … high, and its ncp

What is published always covers neighbours: a range, the leaves below a label, one value, or everything. So two codes
say it all.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch, TaxonomyError, UnsupportedType

from .template import Columns, column, query, taxonomy_step, text

OUTLINE = "<type>"
"""Where the name of a type goes in the text of an error: only the running statement knows it."""


def cell_steps(columns: Columns, own: str) -> dict[str, exp.Select]:
    """The steps from source and classes to the cells of one quasi-identifier."""
    name, tree = columns.names[own], own in columns.taxonomy
    steps = domain_steps(columns, own)
    steps[f"found_{own}"] = found_cells(own)
    steps[f"listed_{own}"] = listed_cells(own)
    if tree:
        steps[f"nodes_{own}"] = nodes(own, name)
    steps[f"cells_{own}"] = label_cells(own, name) if tree else range_cells(own, name)
    return steps


def domain_steps(columns: Columns, own: str) -> dict[str, exp.Select]:
    """The steps from the source to the domain of a column."""
    if own not in columns.taxonomy:
        return {f"domain_{own}": values(own), f"size_{own}": extent(own, columns.names[own])}
    return {f"domain_{own}": leaves(own), f"size_{own}": leaf_count(own, columns.names[own])}


def values(own: str) -> exp.Select:
    """The distinct values of the source; `measure` is where they lie on their axis.

    A value `*` is last but NULL, because a publisher may have taken it for one: the others remain neighbours.
    """
    return query(
        """
        SELECT value, label, code, CASE
            WHEN _sqlanon_kind(typeof(value)) = 'range' THEN _sqlanon_measure(typeof(value), label)
            ELSE CAST(code AS DOUBLE)
        END AS measure
        FROM (
            SELECT value, label, row_number() OVER (ORDER BY value IS NULL ASC, label = '*' ASC, value ASC) - 1 AS code
            FROM (SELECT :column AS value, CAST(:column AS VARCHAR) AS label FROM source GROUP BY :column) AS given
        ) AS ranked
        """,
        column=column(own),
    )


def extent(own: str, name: str) -> exp.Select:
    """One row: how many values there are, how many are known (not NULL, not `*`), and how far the finite ones reach.

    A list of `whole` values is everything: those known, and one that stands for all that are not. SA104 for a type that
    is neither measured nor a category.
    """
    before, after = str(UnsupportedType(name, OUTLINE)).split(OUTLINE)
    return query(
        """
        SELECT
            domain_size, known, kind, type_name,
            known + CAST(known < domain_size AS INTEGER) AS whole,
            _sqlanon_distance(type_name, least.label, greatest.label, least.measure, greatest.measure) AS span
        FROM (
            SELECT
                count(*) AS domain_size, count(label) FILTER (WHERE label <> '*') AS known,
                _sqlanon_kind(typeof(any_value(value))) AS kind, typeof(any_value(value)) AS type_name,
                arg_min({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS least,
                arg_max({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS greatest
            FROM :listed
        ) AS counted
        WHERE CASE
            WHEN kind = 'refused' THEN error(:before || regexp_replace(type_name, '\\(.*\\)', '', 's') || :after)
            ELSE TRUE
        END
        """,
        listed=f"domain_{own}",
        before=text(before),
        after=text(after),
    )


def leaves(own: str) -> exp.Select:
    """The leaves of the taxonomy, subtrees together, and NULL if the source has it, or a `*` that is no leaf."""
    return query(
        """
        SELECT path[1] AS label, path, row_number() OVER (ORDER BY list_reverse(path) ASC NULLS LAST) - 1 AS code
        FROM (
            SELECT path FROM :taxonomy
            UNION ALL SELECT DISTINCT CAST(NULL AS VARCHAR[]) FROM source
            WHERE :column IS NULL
                OR (CAST(:column AS VARCHAR) = '*' AND NOT '*' IN (SELECT coalesce(path[1], '') FROM :taxonomy))
        ) AS paths
        """,
        taxonomy=taxonomy_step(own),
        column=column(own),
    )


def leaf_count(own: str, name: str) -> exp.Select:
    """One row: how many leaves there are, with NULL and without. SA105 if a value of the source is none of them."""
    uncovered = TaxonomyError(name, "does not cover the data", "Leaves are matched by their text.")
    roots = TaxonomyError(name, "is not a tree: its last level has more than one value")
    return query(
        """
        SELECT domain_size, known, domain_size AS whole, 'category' AS kind
        FROM (
            SELECT count(*) AS domain_size, count(path) AS known, count(DISTINCT path[-1]) AS roots FROM :listed
        ) AS counted
        WHERE CASE
            WHEN EXISTS(
                SELECT 1 FROM (SELECT DISTINCT CAST(:column AS VARCHAR) AS label FROM source) AS distinct_values
                WHERE label <> '*' AND NOT label IN (SELECT label FROM :listed WHERE NOT label IS NULL)
            ) THEN error(:uncovered)
            WHEN roots > 1 THEN error(:roots)
            ELSE TRUE
        END
        """,
        listed=f"domain_{own}",
        column=column(own),
        uncovered=text(str(uncovered)),
        roots=text(str(roots)),
    )


def found_cells(own: str) -> exp.Select:
    """The distinct published values, with their rows: their ends, the values they list, whether they tell nothing."""
    return query(
        """
        SELECT
            cell, n,
            _sqlanon_cell_ends(kind, cell) AS ends,
            _sqlanon_cell_items(cell) AS items,
            _sqlanon_is_star(cell, whole) AS star
        FROM (SELECT :column AS cell, CAST(sum(n) AS BIGINT) AS n FROM classes GROUP BY :column) AS published
        CROSS JOIN :size
        """,
        column=column(own),
        size=f"size_{own}",
    )


def listed_cells(own: str) -> exp.Select:
    """The codes of the values that cells list, or that are their ends."""
    return query(
        """
        SELECT
            cell, told,
            CASE WHEN ended THEN low_end WHEN neighbours THEN low END AS low,
            CASE WHEN ended THEN high_end WHEN neighbours THEN high END AS high
        FROM (
            SELECT
                cell, min(code) AS low, max(code) AS high,
                bool_or(NOT low_end IS NULL) AS ended,
                min(code) FILTER (WHERE item = low_end) AS low_end,
                max(code) FILTER (WHERE item = high_end) AS high_end,
                count(code) = count(*) AND max(code) - min(code) + 1 = count(*) AS neighbours,
                count(code) = count(item) AS told
            FROM (
                SELECT cell, ends[1] AS low_end, ends[2] AS high_end, unnest(coalesce(items, ends)) AS item FROM :found
            ) AS listing
            LEFT JOIN :domain AS leaf ON leaf.label = listing.item
            GROUP BY cell
        ) AS listings
        """,
        found=f"found_{own}",
        domain=f"domain_{own}",
    )


def range_cells(own: str, name: str) -> exp.Select:
    """Cells of a column without a taxonomy: the values between two ends, which need not occur themselves.

    An end that does occur is known by its text: two numbers beyond 2^53 may have the same measure.
    """
    return query(
        """
        SELECT
            cell, n, star, domain_size,
            CASE WHEN star THEN 0 WHEN cell IS NULL THEN domain_size - 1 ELSE low END AS low,
            CASE WHEN star OR cell IS NULL THEN domain_size - 1 ELSE high END AS high,
            CASE
                WHEN star THEN 1.0e0
                WHEN cell IS NULL OR ends[1] = ends[2] THEN 0.0e0
                WHEN isfinite(lo) AND isfinite(hi) THEN
                    CASE
                        WHEN span > 0 THEN least(1.0e0, _sqlanon_distance(type_name, ends[1], ends[2], lo, hi) / span)
                        ELSE 0.0e0
                    END
                ELSE 1.0e0
            END AS ncp
        FROM (
            SELECT
                placed.*,
                coalesce(placed.told_low, first.code) AS low,
                coalesce(placed.told_high, last.code) AS high
            FROM (
                SELECT
                    found.cell, found.n, found.star, found.ends, size.*,
                    CASE WHEN kind = 'range' THEN _sqlanon_measure(type_name, ends[1]) END AS lo,
                    CASE WHEN kind = 'range' THEN _sqlanon_measure(type_name, ends[2]) END AS hi,
                    CASE WHEN kind = 'category' OR NOT ends[1] IS NULL THEN listed.low END AS told_low,
                    CASE WHEN kind = 'category' OR NOT ends[1] IS NULL THEN listed.high END AS told_high,
                    coalesce(listed.told, TRUE) AS told
                FROM :found AS found
                CROSS JOIN :size AS size
                LEFT JOIN :listed AS listed ON listed.cell = found.cell
            ) AS placed
            ASOF LEFT JOIN :domain AS first ON placed.lo <= first.measure
            ASOF LEFT JOIN :domain AS last ON placed.hi >= last.measure
        ) AS covered
        WHERE CASE
            WHEN (star AND told) OR (cell IS NULL AND known < domain_size) THEN TRUE
            WHEN NOT star AND coalesce(low <= high, FALSE) THEN TRUE
            ELSE error(:outside)
        END
        """,
        found=f"found_{own}",
        size=f"size_{own}",
        domain=f"domain_{own}",
        listed=f"listed_{own}",
        outside=text(outside(name)),
    )


def label_cells(own: str, name: str) -> exp.Select:
    """Cells of a column with a taxonomy: the leaves below a label, or those that are listed."""
    return query(
        """
        SELECT
            cell, n, star, domain_size,
            CASE WHEN star THEN 0 WHEN cell IS NULL THEN domain_size - 1 ELSE low END AS low,
            CASE WHEN star OR cell IS NULL THEN domain_size - 1 ELSE high END AS high,
            CASE
                WHEN star THEN 1.0e0
                WHEN cell IS NULL OR low = high THEN 0.0e0
                ELSE CAST(high - low + 1 AS DOUBLE) / known
            END AS ncp
        FROM (
            SELECT
                found.cell, found.n, found.star, size.*,
                coalesce(listed.low, node.low) AS low,
                coalesce(listed.high, node.high) AS high,
                coalesce(listed.told, TRUE) AS told
            FROM :found AS found
            CROSS JOIN :size AS size
            LEFT JOIN :nodes AS node ON node.label = found.ends[1]
            LEFT JOIN :listed AS listed ON listed.cell = found.cell
        ) AS placed
        WHERE CASE
            WHEN (star AND told) OR (cell IS NULL AND known < domain_size) THEN TRUE
            WHEN NOT star AND NOT low IS NULL THEN TRUE
            ELSE error(:outside)
        END
        """,
        found=f"found_{own}",
        size=f"size_{own}",
        nodes=f"nodes_{own}",
        listed=f"listed_{own}",
        outside=text(outside(name)),
    )


def nodes(own: str, name: str) -> exp.Select:
    """Every label of the taxonomy with its leaves; one that occurs on several levels stands for its lowest."""
    no_tree = TaxonomyError(name, "is not a tree: a label lies below two different ones")
    unnamed = TaxonomyError(name, "is not a tree: a label is NULL", "Fill every level of every row.")
    return query(
        """
        SELECT label, arg_min(low, level) AS low, arg_min(high, level) AS high
        FROM (
            SELECT level, path[level] AS label, min(code) AS low, max(code) AS high
            FROM (SELECT path, code, unnest(range(1, len(path) + 1)) AS level FROM :domain) AS steps
            GROUP BY level, path[level]
            HAVING CASE
                WHEN path[level] IS NULL THEN error(:unnamed)
                WHEN count(DISTINCT path[level + 1]) > 1 OR (level = 1 AND count(*) > 1) THEN error(:no_tree)
                ELSE TRUE
            END
        ) AS levels
        GROUP BY label
        """,
        domain=f"domain_{own}",
        no_tree=text(str(no_tree)),
        unnamed=text(str(unnamed)),
    )


def outside(name: str) -> str:
    """The error of a published value that the source cannot have led to."""
    return str(
        ReleaseMismatch(
            f"column {name!r} of rel has a value that lies outside the domain of src.",
            "Is it the source of this release, and are the taxonomies those that it was published with?",
        )
    )
