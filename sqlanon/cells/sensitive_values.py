"""The items of a published sensitive value, and the base values that each of them covers.

A published value consists of items: a list of several, any other value of itself, as text. The base values are those
that a person may have, each with its code. An item covers base values: a value itself, a label the leaves below it, a
star all.

taxonomy_*    the taxonomy, if there is one: see taxonomy
base_values   the base values: text, codes in order from 0, and what else the reader says of them
covered       per item, the base values that it covers, as base_values has them
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import column, expression, query, union
from sqlanon.taxonomies.taxonomy import leaves_below, taxonomy_step

from .parts import labels_like_lists, open_parts


def items(published: exp.Query, tree: str | None) -> exp.Select:
    """Rows of published values, a row for each `item` of their `value`. `tree` has the taxonomy of these, if any."""
    labels = expression("CASE WHEN NOT CAST(value AS VARCHAR) LIKE '{%, %}' THEN [CAST(value AS VARCHAR)] END")
    if tree is not None:
        texts = query(
            "SELECT DISTINCT 1 AS column_number, unnest(path) AS label FROM :taxonomy", taxonomy=taxonomy_step(tree)
        )
        like_lists = labels_like_lists(texts.subquery("texts")).subquery("like_lists")
        labels = column("labels")
        published = query(
            "SELECT published.*, labels FROM :published LEFT JOIN :like_lists ON TRUE",
            published=published.subquery("published"),
            like_lists=like_lists,
        )
    cells = query(
        "SELECT *, _sqlanon_cell_parts('category', :labels, value) AS parts FROM :published",
        labels=labels,
        published=published.subquery("published"),
    )
    return query(
        """
        SELECT
            * EXCLUDE (size, ordinal, part, low_text, high_text, labelled, is_star),
            CASE WHEN labelled THEN low_text ELSE CAST(value AS VARCHAR) END AS item
        FROM :opened
        """,
        opened=open_parts(cells).subquery("opened"),
    )


def occurring_values(known: exp.Query) -> exp.Select:
    """Without a taxonomy, base values are those of `known`: `value`, and `number` where numbers or dates have an order.

    A star is one if there is no other.
    """
    return query(
        """
        SELECT value, row_number() OVER (ORDER BY value IS NULL ASC, number ASC NULLS LAST, value ASC) - 1 AS code
        FROM (
            SELECT
                value, any_value(number) AS number, bool_or(value IS DISTINCT FROM '*') OVER () AS has_others
            FROM :known
            GROUP BY value
        ) AS texts
        WHERE value IS DISTINCT FROM '*' OR NOT has_others
        """,
        known=known.subquery("known"),
    )


def leaf_values(tree: str, missing: exp.Select) -> exp.Select:
    """With a taxonomy, they are its leaves, and the rows of `missing`: NULL, which needs no leaf, if it may be."""
    return query(
        """
        SELECT value, row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS code
        FROM :known
        """,
        known=union([query("SELECT path[1] AS value FROM :taxonomy", taxonomy=taxonomy_step(tree)), missing]).subquery(
            "known"
        ),
    )


def covered_values() -> exp.Select:
    """Without a taxonomy, an item covers itself, and a star every value."""
    return query(
        """
        SELECT value AS item, base_values.* FROM base_values
        UNION ALL
        SELECT '*', base_values.* FROM base_values WHERE value IS DISTINCT FROM '*'
        """
    )


def covered_leaves(tree: str) -> exp.Select:
    """A label covers the leaves below it; the root's, and a star that is no label, cover all, and NULL."""
    return query(
        """
        SELECT below.label AS item, base_values.*
        FROM :leaves_below
        JOIN base_values ON base_values.value = below.leaf
        WHERE NOT below.label IN (SELECT path[-1] FROM :taxonomy)
        UNION ALL
        SELECT roots.label, base_values.*
        FROM (
            SELECT path[-1] AS label FROM :taxonomy
            UNION
            SELECT '*' WHERE NOT '*' IN (SELECT unnest(path) FROM :taxonomy)
        ) AS roots
        CROSS JOIN base_values
        UNION ALL
        SELECT NULL, base_values.* FROM base_values WHERE value IS NULL
        """,
        leaves_below=leaves_below(tree).subquery("below"),
        taxonomy=taxonomy_step(tree),
    )
