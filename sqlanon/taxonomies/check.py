"""The statement that tells what is wrong with a taxonomy, one row per problem and level.

paths        the paths of the taxonomy, numbered so that subtrees stand together
labels       every label of every path, with its level (0 is the leaf's), the label above it, and the number of the path
nodes        every label of every level with the paths below it: how many, the first, the last; and whether it is below
             two labels
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import Once, Step, query, union, with_steps

from .bins import occurring_values
from .from_values import KEY, typed_source
from .reader import taxonomy_paths
from .request import TaxonomyCheck

PROBLEMS = (
    """
    SELECT 'the taxonomy is empty' AS problem, CAST(NULL AS INTEGER) AS level, count(*) AS leaves
    FROM paths HAVING count(*) = 0
    """,
    """
    SELECT 'there is one column only, and no level above the leaves' AS problem, NULL AS level, count(*) AS leaves
    FROM paths HAVING max(len(path)) = 1
    """,
    """
    SELECT 'a label is missing, and not at the end of its row' AS problem, level, count(*) AS leaves
    FROM labels WHERE label IS NULL GROUP BY level
    """,
    """
    SELECT
        CASE WHEN level = 0 THEN 'a leaf is there twice, below different labels'
        ELSE 'a label stands for two things: it is below different labels' END AS problem,
        level, count(DISTINCT leaf) AS leaves
    FROM labels JOIN (SELECT level, label FROM nodes WHERE ambiguous) AS faulty USING (level, label)
    GROUP BY level
    """,
    """
    SELECT
        'a label stands for two things: it is on a lower level, too, for other leaves' AS problem,
        upper.level, CAST(sum(upper.paths) AS BIGINT) AS leaves
    FROM (
        SELECT DISTINCT upper.level, upper.label, upper.paths
        FROM nodes AS upper JOIN nodes AS lower ON upper.label = lower.label AND upper.level > lower.level
        WHERE (upper.paths <> lower.paths OR upper.low <> lower.low OR upper.high <> lower.high)
            AND NOT upper.label IN (SELECT path[-1] FROM paths WHERE NOT path[-1] IS NULL)
    ) AS upper
    GROUP BY upper.level
    """,
    """
    SELECT 'there is more than one root' AS problem, level, count(DISTINCT leaf) AS leaves
    FROM labels WHERE level = depth AND depth > 0 GROUP BY level HAVING min(label) <> max(label)
    """,
    """
    SELECT 'values of the column have no leaf' AS problem, 0 AS level, count(*) AS leaves
    FROM :occurring WHERE NOT CAST(value AS VARCHAR) IN (SELECT path[1] FROM paths WHERE NOT path[1] IS NULL)
    HAVING count(*) > 0
    """,
)
"""Each finds one kind of problem."""


def check_statement(request: TaxonomyCheck) -> exp.Select:
    """All problems of a taxonomy, those of the tree first."""
    steps: dict[str, Step] = {
        "source": Once(typed_source(request.tbl, request.function, request.col)),
        "paths": Once(numbered_paths(request)),
        "labels": Once(labels()),
        "nodes": Once(nodes()),
    }
    problems_by_kind = (
        query(problem, occurring=occurring_values(KEY).subquery("occurring")).select(f"{position} AS position")
        for position, problem in enumerate(PROBLEMS)
    )
    problems = query(
        """
        SELECT problem, CAST(level AS INTEGER) AS level, leaves
        FROM :problems ORDER BY position ASC, level ASC NULLS LAST
        """,
        problems=union(problems_by_kind).subquery("problems"),
    )
    return with_steps(problems, steps)


def numbered_paths(request: TaxonomyCheck) -> exp.Select:
    """The paths as all functions read them."""
    return query(
        """
        SELECT path, row_number() OVER (ORDER BY _sqlanon_from_root(path) ASC NULLS LAST) AS number FROM :paths
        """,
        paths=taxonomy_paths(request.taxonomy, request.col).subquery("paths"),
    )


def labels() -> exp.Select:
    """The paths label by label."""
    return query(
        """
        SELECT
            number, path[1] AS leaf, level, len(path) - 1 AS depth, path[level + 1] AS label, path[level + 2] AS above
        FROM (SELECT number, path, unnest(range(0, len(path))) AS level FROM paths) AS steps
        """
    )


def nodes() -> exp.Select:
    """The labels of each level."""
    return query(
        """
        SELECT
            level, label, count(*) AS paths, min(number) AS low, max(number) AS high,
            coalesce(min(above) <> max(above), FALSE) AS ambiguous
        FROM labels WHERE NOT label IS NULL GROUP BY level, label
        """
    )
