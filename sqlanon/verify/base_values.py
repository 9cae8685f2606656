"""The base values that published sensitive values stand for, each with its share. The relations of sql/verify/ that
judge induced frequencies start from it.

user_weights     the user's weights of base values
items            the items of the published values, with how often each has them
taxonomy_*       the taxonomy: see taxonomy
base_values      the values that a person may have, with their weights: see cells/sensitive_values
covered          which base values each item covers
shares           per published value, the base values that it stands for, each with its share of their weights
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.cells import sensitive_values
from sqlanon.errors import InvalidParameter
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import wanted_columns
from sqlanon.statement.template import Once, Step, expression, query, text, union
from sqlanon.taxonomies.taxonomy import checked_paths, refused_leaves, taxonomy_step
from sqlanon.verify.request import Verification

TREE = "value"
"""The name of the sensitive attribute in the steps of taxonomies."""


def share_steps(request: Verification) -> dict[str, Step]:
    """The steps from `records` to `shares`."""
    steps: dict[str, Step] = {}
    tree = None if request.taxonomy is None else TREE
    if request.weights is not None:
        steps["user_weights"] = Once(user_weights(request.weights, request.function))
    if request.taxonomy is not None:
        steps[taxonomy_step(TREE)] = Once(checked_paths(request.taxonomy, request.sa or ""))
    steps["items"] = Once(items(tree))
    if tree is None:
        values, covered = sensitive_values.occurring_values(known_values(request)), sensitive_values.covered_values()
    else:
        values, covered = sensitive_values.leaf_values(tree, missing(request)), sensitive_values.covered_leaves(tree)
    steps["base_values"] = Once(alike(values) if request.weights is None else weigh(values))
    steps["covered"] = covered
    steps["shares"] = Once(shares(request))
    return steps


def user_weights(table: str, function: str, argument: str = "weights") -> exp.Select:
    """The weights that the user gave, by the text of a value. SA102 for what is no weight."""
    no_weight = InvalidParameter(f"{argument}: a weight is negative, or no number.", "Weights go from 0 up.")
    twice = InvalidParameter(f"{argument}: a value is there twice.", "Give each value one weight.")
    columns = wanted_columns(table, function, {"value": "value", "weight": "weight"}, argument=argument)
    return query(
        """
        SELECT
            value,
            CASE
                WHEN count(*) > 1 THEN :twice
                WHEN coalesce(isfinite(any_value(weight)) AND any_value(weight) >= 0, FALSE) THEN any_value(weight)
                ELSE :no_weight
            END AS weight
        FROM (SELECT CAST(value AS VARCHAR) AS value, TRY_CAST(weight AS DOUBLE) AS weight FROM :columns) AS texts
        GROUP BY value
        """,
        columns=columns.subquery("columns"),
        twice=DUCKDB.raise_error(twice),
        no_weight=DUCKDB.raise_error(no_weight),
    )


def items(tree: str | None) -> exp.Select:
    """The items of each published value, and how often it has them."""
    published = query("SELECT value FROM records GROUP BY value")
    return query(
        "SELECT value AS label, item, count(*) AS n FROM :items GROUP BY value, item",
        items=sensitive_values.items(published, tree).subquery("items"),
    )


def known_values(request: Verification) -> exp.Query:
    """The values that are known from the table alone, and with the user's weights."""
    published = query(
        "SELECT item AS value, CASE WHEN _sqlanon_kind(typeof(label)) = 'range' THEN label END AS number FROM items"
    )
    if request.weights is None:
        return published
    return union([published, query("SELECT value, NULL FROM user_weights")])


def missing(request: Verification) -> exp.Select:
    """One row if NULL is known."""
    return query("SELECT DISTINCT value FROM :known WHERE value IS NULL", known=known_values(request).subquery("known"))


def alike(values: exp.Select) -> exp.Select:
    """Base values that all have the same weight."""
    return query("SELECT *, CAST(1 AS DOUBLE) AS weight FROM :known", known=values.subquery("base"))


def weigh(values: exp.Select) -> exp.Select:
    """Base values with the user's weights; one that has none weighs nothing."""
    return query(
        """
        SELECT base.*, coalesce(user_weights.weight, 0) AS weight
        FROM :known LEFT JOIN user_weights ON base.value IS NOT DISTINCT FROM user_weights.value
        """,
        known=values.subquery("base"),
    )


def shares(request: Verification) -> exp.Select:
    """The base values of each published value. SA105 for one, or a weight of one, that the taxonomy lacks.

    SA102 if a published value stands only for such as weigh nothing.
    """
    weightless = InvalidParameter(
        "weights: a published value stands only for values of weight 0.",
        "Give every value that occurs a weight above 0; those that the table lacks weigh 0.",
    )
    return query(
        """
        SELECT
            label, value,
            CASE
                WHEN unknown.n > 0 THEN :no_leaf
                WHEN total = 0 THEN :weightless
                ELSE weight / total
            END AS share
        FROM (
            SELECT
                label, covered.value, sum(n * weight) AS weight,
                sum(sum(n * weight)) OVER (PARTITION BY label) AS total
            FROM items
            LEFT JOIN covered ON covered.item IS NOT DISTINCT FROM items.item
            GROUP BY label, covered.value
        ) AS weighed
        CROSS JOIN :unknown
        """,
        unknown=unknown_labels(request).subquery("unknown"),
        no_leaf=refused_leaves(text(repr(request.sa)), expression("unknown.n")),
        weightless=DUCKDB.raise_error(weightless),
    )


def unknown_labels(request: Verification) -> exp.Select:
    """How many values are no label, and stand for nothing."""
    return query(
        """
        SELECT count(*) AS n
        FROM (SELECT DISTINCT value FROM :known) AS distinct_values
        WHERE NOT value IS NULL AND NOT value IN (SELECT item FROM covered WHERE NOT item IS NULL)
        """,
        known=known_values(request).subquery("known"),
    )
