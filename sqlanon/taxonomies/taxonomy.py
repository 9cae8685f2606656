"""Taxonomies: read and checked in one way, in the words of sql/taxonomies.sql, by all who use them.

taxonomy_*   the paths of one taxonomy, each a list: the leaf, then ever more general labels
leaves       the leaves of all taxonomies, with codes: subtrees together, NULL last
subtrees     every label of the taxonomies, with its level and the leaves below it, codes low … high
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqlanon.errors import TaxonomyError
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.template import Columns, Once, Step, expression, query, text, union

from .automatic import automatic_paths
from .reader import taxonomy_paths

UNKNOWN_FAULT = TaxonomyError.from_words(blank("name"), blank("fault"))
"""An error in the words of sql/taxonomies.sql."""


def taxonomy_step(key: str) -> str:
    """The name of the step that reads a column's taxonomy."""
    return f"taxonomy_{key}"


def taxonomy_steps(columns: Columns) -> dict[str, Step]:
    """The steps that read the taxonomies of columns."""
    return {
        taxonomy_step(key): Once(checked_paths(table, columns.names[key])) for key, table in columns.taxonomy.items()
    }


def automatic_steps(columns: Columns) -> dict[str, Step]:
    """The steps that make taxonomies for columns that have none but need one, from their values in `source`."""
    return {
        taxonomy_step(key): Once(automatic_paths(key, column.bins))
        for key, column in columns.columns.items()
        if column.bins is not None
    }


def checked_paths(table: str, name: str) -> exp.Select:
    """The paths of the taxonomy of a column. SA105 unless it is a tree."""
    return query(
        """
        SELECT unnest(CASE WHEN fault IS NULL THEN paths ELSE :refused END) AS path
        FROM (
            SELECT paths, _sqlanon_tree_fault(paths) AS fault
            FROM (SELECT list(path) AS paths FROM :paths) AS listed
        ) AS checked
        """,
        paths=taxonomy_paths(table, name).subquery("paths"),
        refused=taxonomy_error(text(repr(name)), expression("fault")),
    )


def refused_leaves(name: exp.Expr, missing: exp.Expr) -> exp.Expr:
    """The error of a taxonomy, by the name of its column in quotes, that lacks leaves for so many values."""
    return taxonomy_error(name, expression("_sqlanon_leaf_fault(:missing)", missing=missing))


def covered_paths(name: str, is_missing: exp.Expr) -> exp.Expr:
    """The paths of a column's values in the order of their codes. SA105 for a value that is there but is no leaf."""
    without_leaf = expression(
        "count(*) FILTER (WHERE path IS NULL AND NOT :is_missing)", is_missing=exp.Paren(this=is_missing)
    )
    return expression(
        "CASE WHEN :without_leaf > 0 THEN :refused ELSE list(path ORDER BY code ASC) END",
        without_leaf=without_leaf,
        refused=refused_leaves(text(repr(name)), without_leaf),
    )


def taxonomy_error(name: exp.Expr, fault: exp.Expr) -> exp.Expr:
    """The error of a taxonomy with this fault, by the name of its column in quotes."""
    return DUCKDB.raise_error(UNKNOWN_FAULT, name=name, fault=fault)


def leaves(numbers: Mapping[str, int], gaps: exp.Select | None = None) -> exp.Select:
    """The leaves of the taxonomies of these columns, and NULL for the columns of `gaps`."""
    paths = [
        query(
            "SELECT path, :column_number AS column_number FROM :taxonomy",
            column_number=exp.convert(column_number),
            taxonomy=taxonomy_step(key),
        )
        for key, column_number in numbers.items()
    ]
    if gaps is not None:
        missing = query("SELECT CAST(NULL AS VARCHAR[]) AS path, column_number FROM :gaps", gaps=gaps.subquery("gaps"))
        paths = [missing, *paths]
    return query(
        """
        SELECT
            column_number, path[1] AS label, path,
            row_number() OVER (PARTITION BY column_number ORDER BY _sqlanon_from_root(path) ASC NULLS LAST) - 1 AS code
        FROM :paths
        """,
        paths=union(paths).subquery("paths"),
    )


def subtrees() -> exp.Select:
    """Every label of the taxonomies with its leaves; one that occurs on several levels stands for its lowest."""
    return query(
        """
        SELECT column_number, label, min(level) AS level, arg_min(low, level) AS low, arg_min(high, level) AS high
        FROM (
            SELECT column_number, level, path[level] AS label, min(code) AS low, max(code) AS high
            FROM (SELECT column_number, path, code, unnest(range(1, len(path) + 1)) AS level FROM leaves) AS steps
            GROUP BY column_number, level, path[level]
        ) AS levels
        GROUP BY column_number, label
        """
    )


def leaves_below(key: str) -> exp.Select:
    """Every label of a column's taxonomy with each of the leaves below it, without codes; its lowest level counts."""
    return query(
        """
        SELECT label, leaf
        FROM (
            SELECT path[level] AS label, path[1] AS leaf, level, min(level) OVER (PARTITION BY path[level]) AS lowest
            FROM (SELECT path, unnest(range(1, len(path) + 1)) AS level FROM :taxonomy) AS steps
        ) AS levels
        WHERE level = lowest
        """,
        taxonomy=taxonomy_step(key),
    )
