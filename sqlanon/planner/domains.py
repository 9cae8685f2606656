"""The values that a column can have, each with its code.

domain_*     one row per value, in order, NULL last: those of the source, or the leaves of its taxonomy
size_*       one row: how many they are, and how far they reach
nodes_*      with a taxonomy: every label, and the leaves below it, codes low … high
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import TaxonomyError, UnsupportedType

from .template import Columns, column, expression, query, taxonomy_step, text

OUTLINE = "<type>"
"""Where the name of a type goes in the text of an error: only the running statement knows it."""


def domain_steps(columns: Columns, own: str) -> dict[str, exp.Select]:
    """The steps from the source to the domain of a column."""
    name = columns.names[own]
    if own not in columns.taxonomy:
        return {f"domain_{own}": values(own, listed=own in columns.qi), f"size_{own}": extent(own, name)}
    return {f"domain_{own}": leaves(own), f"size_{own}": leaf_count(own, name), f"nodes_{own}": nodes(own, name)}


def values(own: str, listed: bool) -> exp.Select:
    """The distinct values of the source; `measure` is where they lie on their axis, NULL for categories.

    What a list covers has to be neighbours. So categories that no list names, as those of rows left out, come after the
    others. A value `*` is last but NULL, because a publisher may have taken it for one.
    """
    return query(
        """
        SELECT value, label, measure, row_number() OVER (
            ORDER BY value IS NULL ASC, label = '*' ASC, unlisted ASC, value ASC
        ) - 1 AS code
        FROM (
            SELECT value, label, measure, :unlisted AS unlisted
            FROM (
                SELECT value, label, _sqlanon_measure(value, label) AS measure
                FROM (SELECT :column AS value, CAST(:column AS VARCHAR) AS label FROM source GROUP BY :column) AS given
            ) AS measured
        ) AS marked
        """,
        column=column(own),
        unlisted=unlisted(own) if listed else exp.false(),
    )


def unlisted(own: str) -> exp.Expr:
    """Whether no list of the release names a category. Lists of one value need no neighbours."""
    return expression(
        """
        measure IS NULL AND NOT label IN (
            SELECT item
            FROM (
                SELECT DISTINCT unnest(items) AS item
                FROM (
                    SELECT _sqlanon_cell_items(cell) AS items
                    FROM (SELECT DISTINCT :column AS cell FROM classes) AS published
                ) AS lists
                WHERE len(items) > 1
            ) AS named
            WHERE NOT item IS NULL
        )
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
            domain_size, known, kind, witness,
            known + CAST(known < domain_size AS INTEGER) AS whole,
            _sqlanon_distance(witness, least.label, greatest.label, least.measure, greatest.measure) AS span
        FROM (
            SELECT
                count(*) AS domain_size, count(label) FILTER (WHERE label <> '*') AS known,
                _sqlanon_kind(typeof(any_value(value))) AS kind, any_value(value) AS witness,
                arg_min({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS least,
                arg_max({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS greatest
            FROM :listed
        ) AS counted
        WHERE CASE
            WHEN kind = 'refused' THEN error(:before || regexp_replace(typeof(witness), '\\(.*\\)', '', 's') || :after)
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


def labels(columns: Columns, own: str) -> exp.Expr:
    """The labels that a column may publish, each with its leaves: none without a taxonomy."""
    if own in columns.taxonomy:
        return exp.to_table(f"nodes_{own}")
    none = "SELECT CAST(NULL AS VARCHAR) AS label, CAST(NULL AS BIGINT) AS low, CAST(NULL AS BIGINT) AS high"
    return query(none).subquery()
