"""Which sensitive values the people of a class may have, by one release: those that the class publishes.

old_items, new_items            per class, the items that it publishes
base_values                     the values that a person may have: see cells/sensitive_values
covered                         which of them each item covers
old_candidates, new_candidates  per class, the codes of the values that its people may have
threshold                       one row: fewer values than l are too few
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.cells import sensitive_values
from sqlanon.statement.template import Once, Step, expression, query, text, union
from sqlanon.taxonomies.taxonomy import refused_leaves

from .releases import RELEASES, VALUE, ComparedColumns, in_class


def candidate_steps(compared: ComparedColumns) -> dict[str, Step]:
    """The steps from classes to candidates."""
    if VALUE in compared.trees:
        missing = query("SELECT NULL AS value")
        values, covered = sensitive_values.leaf_values(VALUE, missing), sensitive_values.covered_leaves(VALUE)
    else:
        values, covered = sensitive_values.occurring_values(known_values()), sensitive_values.covered_values()
    return {
        **{f"{release}_items": Once(items(release, compared)) for release in RELEASES},
        "base_values": Once(values),
        "covered": covered,
        **{f"{release}_candidates": Once(candidates(release, compared)) for release in RELEASES},
        "threshold": Once(threshold(compared.request.l)),
    }


def items(release: str, compared: ComparedColumns) -> exp.Select:
    """The items of what each class publishes of the sensitive attribute."""
    published = query("SELECT DISTINCT class, value FROM :rows", rows=in_class(release, compared).subquery("rows"))
    tree = VALUE if VALUE in compared.trees else None
    return query(
        "SELECT DISTINCT class, item FROM :items", items=sensitive_values.items(published, tree).subquery("items")
    )


def known_values() -> exp.Query:
    """The values that either release shows. The same may be a number in one and text in the other."""
    return union(query(f"SELECT item AS value, NULL AS number FROM {release}_items") for release in RELEASES)


def candidates(release: str, compared: ComparedColumns) -> exp.Select:
    """The values that people of each class may have. SA105 for a label that the taxonomy lacks."""
    codes = expression("list(DISTINCT covered.code)")
    if VALUE in compared.trees:
        missing = expression("count(*) FILTER (WHERE covered.code IS NULL)")
        codes = expression(
            "CASE WHEN :missing > 0 THEN :no_leaf ELSE :codes END",
            missing=missing,
            no_leaf=refused_leaves(text(repr(compared.request.sa)), missing.copy()),
            codes=codes,
        )
    return query(
        """
        SELECT items.class, :codes AS codes
        FROM :items AS items LEFT JOIN covered ON covered.item IS NOT DISTINCT FROM items.item
        GROUP BY items.class
        """,
        codes=codes,
        items=f"{release}_items",
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
