"""What the published values of a column cover, in codes of the source's domain.

    domain_*     the values that a column can have, in order, each with its code, NULL last: those of the source, or the
                 leaves of its taxonomy
    size_*       one row: how many they are, and how far they reach
    found_*      the distinct published values (cells), with their rows, taken apart
    nodes_*      with a taxonomy: every label, and the leaves below it
    cells_*      the cells, each with what it covers: codes low … high, and its ncp

What is published always covers neighbours: a range, the leaves below a label, one value, or everything. So two codes
say it all.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch, TaxonomyError

from .template import Columns, column, query, taxonomy_step, text


def cell_steps(columns: Columns, own: str) -> dict[str, exp.Select]:
    """The steps from source and classes to the cells of one quasi-identifier."""
    name, tree = columns.names[own], own in columns.taxonomy
    steps = domain_steps(columns, own)
    steps[f"found_{own}"] = found_cells(own)
    if tree:
        steps[f"nodes_{own}"] = nodes(own, name)
    steps[f"cells_{own}"] = label_cells(own, name) if tree else range_cells(own, name)
    return steps


def domain_steps(columns: Columns, own: str) -> dict[str, exp.Select]:
    """The steps from the source to the domain of a column."""
    if own not in columns.taxonomy:
        return {f"domain_{own}": values(own), f"size_{own}": extent(own)}
    return {f"domain_{own}": leaves(own), f"size_{own}": leaf_count(own, columns.names[own])}


def values(own: str) -> exp.Select:
    """The distinct values of the source; `measure` is where they lie on their axis."""
    return query(
        """
        SELECT value, label, code, CASE
            WHEN _sqlanon_kind(typeof(value)) = 'range' THEN _sqlanon_measure(typeof(value), label)
            ELSE CAST(code AS DOUBLE)
        END AS measure
        FROM (
            SELECT value, CAST(value AS VARCHAR) AS label, row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS code
            FROM (SELECT DISTINCT :column AS value FROM source) AS distinct_values
        ) AS ranked
        """,
        column=column(own),
    )


def extent(own: str) -> exp.Select:
    """One row: how many values there are, how many not NULL, the ends of all and of those that are finite."""
    return query(
        """
        SELECT
            count(*) AS domain_size, count(value) AS known,
            _sqlanon_kind(typeof(any_value(value))) AS kind, typeof(any_value(value)) AS type_name,
            min(measure) AS lowest, max(measure) AS highest,
            min(measure) FILTER (WHERE isfinite(measure)) AS least,
            max(measure) FILTER (WHERE isfinite(measure)) AS greatest
        FROM :listed
        """,
        listed=f"domain_{own}",
    )


def leaves(own: str) -> exp.Select:
    """The leaves of the taxonomy, subtrees together, and NULL if the source has it."""
    return query(
        """
        SELECT path[1] AS label, path, row_number() OVER (ORDER BY list_reverse(path) ASC NULLS LAST) - 1 AS code
        FROM (
            SELECT path FROM :taxonomy
            UNION ALL SELECT DISTINCT CAST(NULL AS VARCHAR[]) FROM source WHERE :column IS NULL
        ) AS paths
        """,
        taxonomy=taxonomy_step(own),
        column=column(own),
    )


def leaf_count(own: str, name: str) -> exp.Select:
    """One row: how many leaves there are, with NULL and without. SA105 if a value of the source is none of them."""
    uncovered = TaxonomyError(name, "does not cover the data", "Leaves are matched by their text.")
    return query(
        """
        SELECT count(*) AS domain_size, count(path) AS known, 'category' AS kind
        FROM :listed
        WHERE CASE WHEN EXISTS(
            SELECT 1 FROM (SELECT DISTINCT CAST(:column AS VARCHAR) AS label FROM source) AS distinct_values
            WHERE NOT label IS NULL AND NOT label IN (SELECT label FROM :listed WHERE NOT label IS NULL)
        ) THEN error(:uncovered) ELSE TRUE END
        """,
        listed=f"domain_{own}",
        column=column(own),
        uncovered=text(str(uncovered)),
    )


def found_cells(own: str) -> exp.Select:
    """The distinct published values, with their rows: their ends, the values they list, whether they tell nothing."""
    return query(
        """
        SELECT
            cell, n,
            _sqlanon_cell_ends(kind, cell) AS ends,
            _sqlanon_cell_items(cell) AS items,
            _sqlanon_is_star(cell, domain_size) AS star
        FROM (SELECT :column AS cell, CAST(sum(n) AS BIGINT) AS n FROM classes GROUP BY :column) AS published
        CROSS JOIN :size
        """,
        column=column(own),
        size=f"size_{own}",
    )


def range_cells(own: str, name: str) -> exp.Select:
    """Cells of a column without a taxonomy: the values between two ends, which need not occur themselves."""
    return query(
        """
        SELECT
            placed.cell, placed.n, placed.star, placed.domain_size,
            CASE WHEN star THEN 0 WHEN cell IS NULL THEN domain_size - 1 ELSE first.code END AS low,
            CASE WHEN star OR cell IS NULL THEN domain_size - 1 ELSE last.code END AS high,
            CASE
                WHEN star THEN 1.0e0
                WHEN cell IS NULL OR lo = hi THEN 0.0e0
                WHEN isfinite(lo) AND isfinite(hi) THEN least(1.0e0, (hi / 2 - lo / 2) / (greatest / 2 - least / 2))
                ELSE 1.0e0
            END AS ncp
        FROM (
            SELECT
                found.cell, found.n, found.star, size.*,
                CASE WHEN kind = 'range' THEN _sqlanon_measure(type_name, ends[1]) ELSE exact.measure END AS lo,
                CASE WHEN kind = 'range' THEN _sqlanon_measure(type_name, ends[2]) ELSE exact.measure END AS hi
            FROM :found AS found
            CROSS JOIN :size AS size
            LEFT JOIN :listed AS exact ON exact.label = found.ends[1]
        ) AS placed
        ASOF LEFT JOIN :listed AS first ON placed.lo <= first.measure
        ASOF LEFT JOIN :listed AS last ON placed.hi >= last.measure
        WHERE CASE
            WHEN star OR (cell IS NULL AND known < domain_size) THEN TRUE
            WHEN coalesce(first.code <= last.code AND lo >= lowest AND hi <= highest, FALSE) THEN TRUE
            ELSE error(:outside)
        END
        """,
        found=f"found_{own}",
        size=f"size_{own}",
        listed=f"domain_{own}",
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
                coalesce(node.low, listed.low) AS low,
                coalesce(node.high, listed.high) AS high
            FROM :found AS found
            CROSS JOIN :size AS size
            LEFT JOIN :nodes AS node ON node.label = found.ends[1]
            LEFT JOIN (
                SELECT cell, min(code) AS low, max(code) AS high
                FROM (SELECT cell, unnest(items) AS item, len(items) AS items FROM :found) AS listing
                JOIN :leaves AS leaf ON leaf.label = listing.item
                GROUP BY cell, items
                HAVING count(*) = items AND max(code) - min(code) + 1 = items
            ) AS listed ON listed.cell = found.cell
        ) AS placed
        WHERE CASE
            WHEN star OR NOT low IS NULL OR (cell IS NULL AND known < domain_size) THEN TRUE ELSE error(:outside)
        END
        """,
        found=f"found_{own}",
        size=f"size_{own}",
        nodes=f"nodes_{own}",
        leaves=f"domain_{own}",
        outside=text(outside(name)),
    )


def nodes(own: str, name: str) -> exp.Select:
    """Every label of the taxonomy with its leaves; one that occurs on several levels stands for its lowest."""
    no_tree = TaxonomyError(name, "is not a tree: a label lies below two different ones")
    return query(
        """
        SELECT label, arg_min(low, level) AS low, arg_min(high, level) AS high
        FROM (
            SELECT level, path[level] AS label, min(code) AS low, max(code) AS high
            FROM (SELECT path, code, unnest(range(1, len(path) + 1)) AS level FROM :listed) AS steps
            GROUP BY level, path[level]
            HAVING CASE WHEN max(code) - min(code) + 1 = count(*) THEN TRUE ELSE error(:no_tree) END
        ) AS levels
        GROUP BY label
        """,
        listed=f"domain_{own}",
        no_tree=text(str(no_tree)),
    )


def outside(name: str) -> str:
    """The error of a published value that the source cannot have led to."""
    return str(
        ReleaseMismatch(
            f"column {name!r} of rel has a value that lies outside the domain of src.",
            "Is it the source of this release, and are the taxonomies those that it was published with?",
        )
    )
