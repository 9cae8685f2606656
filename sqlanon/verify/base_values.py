"""What published sensitive values stand for: base values, each with its share. The relations of sql/verify/ that judge
induced frequencies start from it.

believed         the user's weights of base values
items            the published values, taken apart: a list stands for its items, any other value for itself
leaves, subtrees the taxonomy: see taxonomy
base_values      the values that a person may have: text, their weights, and their place in order
covered          which base values each item covers
shares           per published value, the base values that it stands for, each with its share of their weights
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import wanted_columns
from sqlanon.statement.template import Once, Step, expression, query, text
from sqlanon.taxonomies.taxonomy import checked_paths, leaves, refused_leaves, subtrees, taxonomy_step
from sqlanon.verify.request import Verification

TREE = "value"
"""What the steps of taxonomies call the sensitive attribute."""

ITEMS = "SELECT item AS value FROM items"
ITEMS_AND_WEIGHTS = f"{ITEMS} UNION ALL SELECT value FROM believed"
"""The base values that are known from the table alone, and with the user's weights."""


def share_steps(request: Verification) -> dict[str, Step]:
    """The steps from `given` to `shares`."""
    steps: dict[str, Step] = {}
    known = ITEMS
    if request.weights is not None:
        known = ITEMS_AND_WEIGHTS
        steps["believed"] = Once(believed(request.weights, request.function))
    if request.taxonomy is not None:
        steps[taxonomy_step(TREE)] = Once(checked_paths(request.taxonomy, request.sa or ""))
        steps["items"] = Once(items(expression("labels"), labels_like_lists()))
        steps["leaves"] = Once(leaves({TREE: 1}, missing_leaf(known)))
        steps["subtrees"] = Once(subtrees())
        values, covered = leaf_values(), covered_leaves()
    else:
        steps["items"] = Once(items(not_a_list(), query("SELECT 0 AS nothing")))
        values, covered = occurring_values(known), covered_values()
    steps["base_values"] = Once(values if request.weights is None else weighted(values))
    steps["covered"] = covered
    steps["shares"] = Once(shares(request, known))
    return steps


def believed(table: str, function: str, argument: str = "weights") -> exp.Select:
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


def labels_like_lists() -> exp.Select:
    """One row: the labels of the taxonomy if some could be taken for lists; those that are no lists of others."""
    return query(
        """
        SELECT CASE WHEN len(list_filter(known, lambda label: _sqlanon_like_list(label))) > 0 THEN list_filter(
            known, lambda label: NOT (contains(label, ', ') AND list_has_all(known, string_split(label, ', ')))
        ) END AS labels
        FROM (SELECT list_distinct(flatten(list(path))) AS known FROM :taxonomy) AS paths
        """,
        taxonomy=taxonomy_step(TREE),
    )


def not_a_list() -> exp.Expr:
    """Without a taxonomy, the label that text is: of a list that was written as text, two items at least are known."""
    return expression("CASE WHEN NOT CAST(value AS VARCHAR) LIKE '{%, %}' THEN [CAST(value AS VARCHAR)] END")


def items(labels: exp.Expr, known: exp.Select) -> exp.Select:
    """What the published values consist of."""
    return query(
        """
        SELECT label, item, count(*) AS n
        FROM (
            SELECT value AS label, CASE WHEN len(part) = 1 THEN part[1] ELSE CAST(value AS VARCHAR) END AS item
            FROM (
                SELECT value, unnest(_sqlanon_cell_parts('category', :labels, value)) AS part
                FROM (SELECT value FROM given GROUP BY value) AS published
                CROSS JOIN :known
            ) AS parts
        ) AS taken_apart
        GROUP BY label, item
        """,
        labels=labels,
        known=known.subquery("known"),
    )


def missing_leaf(known: str) -> exp.Select:
    """One row if NULL, which needs no leaf, is a base value."""
    return query(f"SELECT DISTINCT 1 AS place FROM ({known}) AS known WHERE value IS NULL")


def leaf_values() -> exp.Select:
    """With a taxonomy, base values are its leaves, and NULL if it occurs."""
    return query(
        """
        SELECT label AS value, CAST(1 AS DOUBLE) AS weight, row_number() OVER (ORDER BY label ASC NULLS LAST) AS place
        FROM leaves
        """
    )


def occurring_values(known: str) -> exp.Select:
    """Without a taxonomy, they are the values that occur, or have a weight. A star is one if there is no other.

    Numbers and dates keep their order.
    """
    return query(
        f"""
        SELECT
            value, CAST(1 AS DOUBLE) AS weight,
            row_number() OVER (ORDER BY value IS NULL ASC, any_value(number) ASC NULLS LAST, value ASC) AS place
        FROM (SELECT DISTINCT value FROM ({known}) AS known) AS texts
        LEFT JOIN (
            SELECT item, CASE WHEN _sqlanon_kind(typeof(label)) = 'range' THEN label END AS number FROM items
        ) AS measured ON measured.item = texts.value
        WHERE value IS DISTINCT FROM '*' OR NOT (SELECT bool_or(value IS DISTINCT FROM '*') FROM ({known}) AS every)
        GROUP BY value
        """
    )


def weighted(values: exp.Select) -> exp.Select:
    """Base values with the user's weights; one that has none weighs nothing."""
    return query(
        """
        SELECT base.value, coalesce(believed.weight, 0) AS weight, base.place
        FROM :known LEFT JOIN believed ON base.value IS NOT DISTINCT FROM believed.value
        """,
        known=values.subquery("base"),
    )


def covered_values() -> exp.Select:
    """Without a taxonomy, an item covers itself, and a star every value."""
    return query(
        """
        SELECT value AS item, value, weight FROM base_values
        UNION ALL
        SELECT '*', value, weight FROM base_values WHERE value IS DISTINCT FROM '*'
        """
    )


def covered_leaves() -> exp.Select:
    """A label covers the leaves below it; the root's, and a star that is no label, cover all, and NULL."""
    return query(
        """
        SELECT subtrees.label AS item, base_values.value, base_values.weight
        FROM subtrees
        JOIN leaves ON leaves.code BETWEEN subtrees.low AND subtrees.high
        JOIN base_values ON base_values.value = leaves.label
        WHERE NOT subtrees.label IN (SELECT path[-1] FROM :taxonomy)
        UNION ALL
        SELECT roots.label, base_values.value, base_values.weight
        FROM (
            SELECT path[-1] AS label FROM :taxonomy
            UNION
            SELECT '*' WHERE NOT '*' IN (SELECT label FROM subtrees)
        ) AS roots
        CROSS JOIN base_values
        UNION ALL
        SELECT NULL, value, weight FROM base_values WHERE value IS NULL
        """,
        taxonomy=taxonomy_step(TREE),
    )


def shares(request: Verification, known: str) -> exp.Select:
    """What each published value stands for. SA105 for one, or a weight of one, that the taxonomy lacks.

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
        unknown=unknown_labels(known).subquery("unknown"),
        no_leaf=refused_leaves(text(repr(request.sa)), expression("unknown.n")),
        weightless=DUCKDB.raise_error(weightless),
    )


def unknown_labels(known: str) -> exp.Select:
    """How many values are no label, and stand for nothing."""
    return query(
        f"""
        SELECT count(*) AS n
        FROM (SELECT DISTINCT value FROM ({known}) AS known) AS distinct_values
        WHERE NOT value IS NULL AND NOT value IN (SELECT item FROM covered WHERE NOT item IS NULL)
        """
    )
