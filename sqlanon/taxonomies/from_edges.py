"""The statement that makes a taxonomy of edges.

edges        every child with its parent, as text; NULL for a root
reached      every node that can be reached from a root, with its path to it. Roots have no parent, so circles are not
             reached, and the search ends
checked      one row: all paths of leaves, and what is wrong
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.functions.taxonomies import MOST_LEVELS
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.source import plain_value, wanted_columns
from sqlanon.statement.template import Once, column, expression, query, text, with_steps

from .from_values import wide
from .request import EdgeTaxonomy
from .taxonomy import taxonomy_error


def edge_statement(request: EdgeTaxonomy) -> exp.Select:
    """The leaves of a tree with all that is above them; those that reach the root sooner are repeated."""
    columns = {"child": request.child, "parent": request.parent}
    texts = (exp.alias_(exp.cast(plain_value(key), "VARCHAR"), key) for key in columns)
    paths = query(
        """
        SELECT unnest(CASE
            WHEN NOT fault IS NULL THEN :refused
            WHEN needed > :levels THEN :too_few
            ELSE list_transform(paths, lambda path: _sqlanon_padded(path, :length))
        END) AS path
        FROM checked
        """,
        refused=taxonomy_error(text(repr(request.child)), expression("fault")),
        too_few=too_few_levels(request),
        levels=exp.convert(request.levels),
        length=exp.convert(request.levels + 1),
    )
    steps = {
        "source": Once(wanted_columns(request.tbl, request.function, columns).select(*texts, append=False)),
        "edges": Once(edges()),
        "reached": Once(reachable_nodes()),
        "checked": Once(check_tree()),
    }
    return with_steps(wide(paths, request.levels, order=expression("_sqlanon_from_root(path)")), steps)


def edges() -> exp.Select:
    """One row per child; more than one parent is a fault."""
    return query(
        """
        SELECT child, min(parent) AS parent, count(DISTINCT parent) AS parents
        FROM source WHERE NOT child IS NULL GROUP BY child
        """
    )


def reachable_nodes() -> exp.Select:
    """Every node below a root, with its path to it, as far as a taxonomy may go."""
    return query(
        """
        WITH RECURSIVE below AS (
            SELECT node, [node] AS path
            FROM (
                SELECT child AS node FROM edges WHERE parent IS NULL
                UNION
                SELECT edges.parent AS node FROM edges WHERE NOT edges.parent IS NULL
                    AND NOT EXISTS(SELECT 1 FROM edges AS above WHERE above.child = edges.parent)
            ) AS roots
            UNION ALL
            SELECT edges.child AS node, list_concat([edges.child], below.path) AS path
            FROM below JOIN edges ON edges.parent = below.node
            WHERE len(below.path) <= :most
        )
        SELECT node, path, NOT EXISTS(SELECT 1 FROM edges WHERE edges.parent = below.node) AS is_leaf FROM below
        """,
        most=exp.convert(MOST_LEVELS),
    )


def check_tree() -> exp.Select:
    """One row: the paths of the leaves to one root, how many levels they need, and what is wrong."""
    return query(
        """
        SELECT
            list_transform(
                leaves, lambda path: list_concat(path, CASE WHEN roots > 1 THEN ['*'] ELSE [] END)
            ) AS paths,
            longest - 1 + CAST(roots > 1 AS INTEGER) AS needed,
            CASE
                WHEN childless > 0 THEN 'is not a tree: an edge has no child.'
                WHEN several > 0 THEN 'is not a tree: a child has two parents.'
                WHEN longest > :most THEN :too_deep
                WHEN children > children_reached THEN 'is not a tree: edges lead round in a circle.'
            END AS fault
        FROM (
            SELECT
                list(path) FILTER (WHERE is_leaf) AS leaves,
                count(*) FILTER (WHERE len(path) = 1) AS roots,
                coalesce(max(len(path)), 0) AS longest,
                count(*) FILTER (WHERE node IN (SELECT child FROM edges)) AS children_reached
            FROM reached
        ) AS tree
        CROSS JOIN (
            SELECT count(*) AS children, count(*) FILTER (WHERE parents > 1) AS several FROM edges
        ) AS counted
        CROSS JOIN (
            SELECT count(*) AS childless FROM source WHERE child IS NULL AND NOT parent IS NULL
        ) AS incomplete
        """,
        most=exp.convert(MOST_LEVELS),
        too_deep=text(f"has more than {MOST_LEVELS} levels."),
    )


def too_few_levels(request: EdgeTaxonomy) -> exp.Expr:
    """The error that says how many levels there are."""
    error = InvalidParameter(
        f"levels = {request.levels}, but there are {blank('needed')} levels above the lowest leaves.",
        f"Write levels := {blank('needed')}.",
    )
    return DUCKDB.raise_error(error, needed=column("needed"))
