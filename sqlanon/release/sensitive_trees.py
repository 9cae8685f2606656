"""Sensitive attributes that a release may generalize: what labels stand for, and how likely each value is thought.

weights_*   a user's table of weights, by the text of the value
base_*      the base values of a sensitive attribute: those that occur, in the order of their codes, then those that
            do not but have a weight; each with its path to the root. Without a table of weights, what occurs has
            the weight 1
nodes_of_*  the node of each base value at each level that was chosen; the root is -1
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import Columns, Once, Step, column, query, text
from sqlanon.taxonomies.taxonomy import covered_paths, taxonomy_step
from sqlanon.verify.base_values import user_weights

from .request import Release


def base_steps(request: Release, columns: Columns) -> dict[str, Step]:
    """The base values of the sensitive attributes that may be generalized."""
    steps: dict[str, Step] = {}
    tables = dict(request.weights)
    for key in generalized_columns(columns):
        table = tables.get(columns.names[key])
        if table is not None:
            steps[f"weights_{key}"] = Once(user_weights(table, request.caller, "options.weights"))
        steps[f"base_{key}"] = Once(occurring_values(key) if table is None else weighted_values(key))
    return steps


def generalized_columns(columns: Columns) -> list[str]:
    """The sensitive attributes that may be generalized."""
    return [key for key in columns.sensitive if key in columns.trees]


def occurring_values(key: str) -> exp.Select:
    """The values that occur, all equally likely."""
    return query(
        "SELECT code, path, value IS NULL AS is_missing, CAST(1 AS DOUBLE) AS weight FROM :domain",
        domain=f"domain_{key}",
    )


def weighted_values(key: str) -> exp.Select:
    """The values that occur, and those that do not but are held possible; the flat tree has a leaf for any."""
    occurring = query(
        """
        SELECT domain.code, domain.path, domain.value IS NULL AS is_missing, coalesce(weights.weight, 0) AS weight
        FROM :domain AS domain
        LEFT JOIN :weights AS weights ON weights.value IS NOT DISTINCT FROM CAST(domain.value AS VARCHAR)
        """,
        domain=f"domain_{key}",
        weights=f"weights_{key}",
    )
    imagined = query(
        """
        SELECT
            (SELECT count(*) FROM :domain) + row_number() OVER (ORDER BY weights.value ASC NULLS LAST) - 1 AS code,
            CASE
                WHEN NOT paths.path IS NULL THEN paths.path
                WHEN (SELECT max(len(path)) FROM :paths) = 2 AND NOT weights.value IS NULL THEN [weights.value, '*']
            END AS path,
            weights.value IS NULL AS is_missing,
            weights.weight
        FROM :weights AS weights
        LEFT JOIN :paths AS paths ON paths.path[1] = weights.value
        LEFT JOIN :domain AS domain ON CAST(domain.value AS VARCHAR) IS NOT DISTINCT FROM weights.value
        WHERE domain.code IS NULL AND weights.weight > 0
        """,
        domain=f"domain_{key}",
        weights=f"weights_{key}",
        paths=taxonomy_step(key),
    )
    return query(
        "SELECT CAST(code AS INTEGER) AS code, path, is_missing, weight FROM :united",
        united=exp.union(occurring, imagined, distinct=False, copy=False).subquery("every"),
    )


def described_base(key: str, name: str) -> dict[str, exp.Expr]:
    """The path and the weight of each base value, for the algorithm. SA105 for one that is no leaf."""
    base = f"base_{key}"
    return {
        "domain": exp.select(covered_paths(name, column("is_missing"))).from_(base).subquery(),
        "taxonomy": query("SELECT list(path) FROM :paths", paths=taxonomy_step(key)).subquery(),
        "weights": query("SELECT list(weight ORDER BY code ASC) FROM :base", base=base).subquery(),
    }


def nodes(key: str, number: int) -> exp.Select:
    """The node of each base value at each chosen level. A label that reads like the root's is the root."""
    return query(
        """
        SELECT
            code, level, weight,
            CASE
                WHEN is_root THEN -1
                ELSE CAST(level AS BIGINT) * 2147483648 + min(code) OVER (PARTITION BY level, label, is_root)
            END AS node
        FROM (
            SELECT
                code, level, weight, path[level + 1] AS label,
                level = max(len(path) - 1) OVER ()
                OR coalesce(path[level + 1] = max(path[len(path)]) OVER (), FALSE) AS is_root
            FROM :base CROSS JOIN (SELECT DISTINCT list_extract(levels, :number) AS level FROM assigned) AS chosen
        ) AS labelled
        """,
        base=f"base_{key}",
        number=exp.convert(number),
    )


def shares(key: str) -> exp.Select:
    """The base values below each node, with their shares, as sql/verify/ wants them."""
    root = query(
        "SELECT CAST(-1 AS BIGINT) AS label, code AS value, weight / sum(weight) OVER () AS share FROM :base",
        base=f"base_{key}",
    )
    others = query(
        """
        SELECT node AS label, code AS value, weight / sum(weight) OVER (PARTITION BY node) AS share
        FROM :nodes
        WHERE node >= 0
        """,
        nodes=f"nodes_of_{key}",
    )
    return query("SELECT * FROM :united", united=exp.union(root, others, distinct=False, copy=False).subquery("every"))


def published_nodes(key: str, number: int) -> exp.Select:
    """The group of every row, and the node of the sensitive attribute that it publishes."""
    nodes = f"nodes_of_{key}"
    return query(
        """
        SELECT assigned.grp AS class, :node AS value
        FROM assigned
        JOIN :nodes ON :code = struct_extract(assigned.codes, :key) AND :level = list_extract(assigned.levels, :number)
        """,
        node=column("node", nodes),
        nodes=nodes,
        code=column("code", nodes),
        key=text(key),
        level=column("level", nodes),
        number=exp.convert(number),
    )
