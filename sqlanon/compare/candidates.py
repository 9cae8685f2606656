"""Which sensitive values the people of a class may have, by one release: those that the class publishes.

old_items, new_items            per class, what it publishes: a list is taken apart, a star or a label stays as it is
known                           the sensitive values that are known, in order, with codes from 1
covered                         which of them each item stands for
old_candidates, new_candidates  per class, the codes of the values that its people may have
threshold                       one row: fewer values than l are too few
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import Once, Step, expression, query, text
from sqlanon.taxonomies.taxonomy import refused_leaves, taxonomy_step
from sqlanon.verify.base_values import not_a_list

from .releases import RELEASES, VALUE, Places, in_class


def candidate_steps(places: Places) -> dict[str, Step]:
    """The steps from classes to candidates."""
    tree = VALUE in places.trees
    return {
        **{f"{release}_items": Once(items(release, places)) for release in RELEASES},
        "known": Once(leaf_values(places) if tree else published_values()),
        "covered": covered_leaves(places) if tree else covered_values(),
        **{f"{release}_candidates": Once(candidates(release, places)) for release in RELEASES},
        "threshold": Once(threshold(places.request.l)),
    }


def items(release: str, places: Places) -> exp.Select:
    """What each class publishes of the sensitive attribute, as text."""
    return query(
        """
        SELECT DISTINCT class, CASE WHEN len(part) = 1 THEN part[1] ELSE CAST(value AS VARCHAR) END AS item
        FROM (
            SELECT class, value, unnest(_sqlanon_cell_parts('category', :labels, value)) AS part
            FROM (SELECT DISTINCT class, value FROM :rows) AS pairs
        ) AS parts
        """,
        labels=expression("CAST(NULL AS VARCHAR[])") if VALUE in places.trees else not_a_list(),
        rows=in_class(release, places).subquery("rows"),
    )


def published_values() -> exp.Select:
    """Without a taxonomy, the values that either release shows."""
    return query(
        """
        SELECT value, row_number() OVER (ORDER BY value ASC NULLS LAST) AS code
        FROM (SELECT item AS value FROM old_items UNION SELECT item FROM new_items) AS items
        WHERE value IS DISTINCT FROM '*'
        """
    )


def leaf_values(places: Places) -> exp.Select:
    """With a taxonomy, its leaves, and NULL."""
    return query(
        """
        SELECT value, row_number() OVER (ORDER BY value ASC NULLS LAST) AS code
        FROM (SELECT label AS value FROM leaves WHERE place = :place UNION ALL SELECT NULL) AS values_of_leaves
        """,
        place=exp.convert(places.trees[VALUE]),
    )


def covered_values() -> exp.Select:
    """A value stands for itself, a star for all."""
    return query("SELECT value AS item, code FROM known UNION ALL SELECT '*', code FROM known")


def covered_leaves(places: Places) -> exp.Select:
    """A label stands for the leaves below it; the root, and a star, for NULL, too."""
    return query(
        """
        SELECT subtrees.label AS item, known.code
        FROM subtrees
        JOIN leaves ON leaves.place = subtrees.place AND leaves.code BETWEEN subtrees.low AND subtrees.high
        JOIN known ON known.value = leaves.label
        WHERE subtrees.place = :place AND NOT subtrees.label IN (SELECT path[-1] FROM :taxonomy)
        UNION ALL
        SELECT roots.label, known.code
        FROM (SELECT path[-1] AS label FROM :taxonomy UNION SELECT '*') AS roots CROSS JOIN known
        UNION ALL
        SELECT NULL, code FROM known WHERE value IS NULL
        """,
        place=exp.convert(places.trees[VALUE]),
        taxonomy=taxonomy_step(VALUE),
    )


def candidates(release: str, places: Places) -> exp.Select:
    """The values that people of each class may have. SA105 for a label that the taxonomy lacks."""
    joined = query(
        """
        SELECT
            items.class, list(DISTINCT covered.code) AS codes, count(*) FILTER (WHERE covered.code IS NULL) AS missing
        FROM :items AS items LEFT JOIN covered ON covered.item IS NOT DISTINCT FROM items.item
        GROUP BY items.class
        """,
        items=f"{release}_items",
    )
    if VALUE not in places.trees:  # a star may stand alone: then no value is known
        return query(
            "SELECT class, list_filter(codes, lambda code: NOT code IS NULL) AS codes FROM :joined",
            joined=joined.subquery("joined"),
        )
    return query(
        "SELECT class, CASE WHEN missing > 0 THEN :no_leaf ELSE codes END AS codes FROM :joined",
        joined=joined.subquery("joined"),
        no_leaf=refused_leaves(text(repr(places.request.sa)), expression("missing")),
    )


def threshold(l: int | None) -> exp.Select:
    """The user's l, or the fewest values that a class of either release leaves possible."""
    if l is not None:
        return exp.select(f"{l} AS l")
    return query(
        """
        SELECT min(len(codes)) AS l
        FROM (SELECT codes FROM old_candidates UNION ALL SELECT codes FROM new_candidates) AS candidates
        """
    )
