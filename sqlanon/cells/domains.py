"""The values that columns can have, each with its code.

Steps hold all columns at once, and `column_number` says whose a row is: to plan steps for every column takes DuckDB
longer than to run them. Only what a column's own type or taxonomy decides has steps of its own.

values_*     the distinct values of a column of the source; `rank` is their order, NULL last
gaps         per taxonomy, whether the source has a value that it need not have (NULL), or should have and has not
leaves, subtrees   the domains of columns with a taxonomy, and its labels: see taxonomy
occurring    the domains of columns without a taxonomy: the values of the source
domains      the domains of all columns: one row per value that they can have, in order, NULL last
sizes        per column, how many values it can have, and the ends of their range
domain_*     one of the domains
size_*       one row: how many values that are
nodes_*      the labels of one taxonomy
texts        what columns may publish as text that could be taken for something else
kinds        one row, with lists: the types of the columns, what these allow, and labels that could be taken for lists
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqlanon.errors import UnsupportedType
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.template import Columns, Once, Step, column, expression, query, text, union
from sqlanon.taxonomies.taxonomy import leaves, refused_leaves, subtrees, taxonomy_step

from .parts import labels_like_lists

ColumnNumbers = Mapping[str, int]
"""The columns, numbered from 1."""


def value_steps(columns: Columns, numbers: ColumnNumbers) -> dict[str, Step]:
    """The steps from the source to the distinct values of its columns, and to the labels of taxonomies."""
    trees = with_taxonomy(columns, numbers)
    steps: dict[str, Step] = {f"values_{key}": Once(values(key)) for key in numbers}
    if trees:
        steps["gaps"] = Once(union(gap(key, column_number) for key, column_number in trees.items()))
        steps["leaves"] = Once(leaves(trees, query("SELECT column_number FROM gaps WHERE gap")))
        steps["subtrees"] = Once(subtrees())
    for key, column_number in trees.items():
        here = {"column_number": number(column_number)}
        steps[f"domain_{key}"] = Once(
            query("SELECT label, code FROM leaves WHERE column_number = :column_number", **here)
        )
        steps[f"nodes_{key}"] = query(
            "SELECT label, level, low, high FROM subtrees WHERE column_number = :column_number", **here
        )
    steps["texts"] = Once(union(texts(columns, key, column_number) for key, column_number in numbers.items()))
    steps["kinds"] = Once(kinds(columns, numbers))
    return steps


def domain_steps(columns: Columns, numbers: ColumnNumbers) -> dict[str, Step]:
    """The steps from the distinct values to the domains."""
    trees = with_taxonomy(columns, numbers)
    others = {key: column_number for key, column_number in numbers.items() if key not in trees}
    domains, sizes = [], []
    steps: dict[str, Step] = {}
    if trees:
        domains.append(
            query("SELECT code AS rank, label, column_number, CAST(NULL AS DOUBLE) AS measure, code FROM leaves")
        )
        sizes.append(leaf_counts(columns, numbers))
    if others:
        steps["occurring"] = Once(occurring(others))
        domains.append(query("SELECT * FROM occurring"))
        sizes.append(extents(columns, numbers, others))
    steps |= {"domains": Once(union(domains)), "sizes": Once(union(sizes))}
    for key, column_number in others.items():
        steps[f"domain_{key}"] = Once(domain(key, column_number))
    for key, column_number in numbers.items():
        steps[f"size_{key}"] = query(
            "SELECT domain_size FROM sizes WHERE column_number = :column_number", column_number=number(column_number)
        )
    return steps


def with_taxonomy(columns: Columns, numbers: ColumnNumbers) -> ColumnNumbers:
    """Those of the columns that have a taxonomy."""
    return {key: column_number for key, column_number in numbers.items() if key in columns.taxonomy}


def kinds(columns: Columns, numbers: ColumnNumbers) -> exp.Select:
    """One row: the names of the columns' types, and their kinds, by column number. A taxonomy has texts.

    `labels` has those columns that have a value like a list, each with what may be an item of one.
    """
    type_names = (
        expression(
            "typeof(any_value(:value))",
            value=exp.cast(column(key), "VARCHAR") if key in columns.taxonomy else column(key),
        )
        for key in numbers
    )
    return query(
        """
        SELECT type_names, list_transform(type_names, lambda type_name: _sqlanon_kind(type_name)) AS kinds, labels
        FROM (SELECT :type_names AS type_names FROM source) AS typed
        CROSS JOIN (
            SELECT list({'column_number': column_number, 'labels': labels}) AS labels FROM :like_lists
        ) AS known
        """,
        type_names=exp.array(*type_names),
        like_lists=labels_like_lists("texts").subquery("like_lists"),
    )


def texts(columns: Columns, key: str, column_number: int) -> exp.Select:
    """The texts that a column may publish as they are: values, or the labels of its taxonomy."""
    if key in columns.taxonomy:
        return query(
            "SELECT label, :column_number AS column_number FROM :nodes",
            column_number=number(column_number),
            nodes=f"nodes_{key}",
        )
    return query(
        "SELECT label, :column_number AS column_number FROM :occur WHERE _sqlanon_kind(typeof(value)) = 'category'",
        column_number=number(column_number),
        occur=f"values_{key}",
    )


def values(key: str) -> exp.Select:
    """The distinct values of the source."""
    return query(
        """
        SELECT row_number() OVER (ORDER BY :column ASC) AS rank, :column AS value, CAST(:column AS VARCHAR) AS label
        FROM source
        GROUP BY :column
        """,
        column=column(key),
    )


def occurring(numbers: ColumnNumbers) -> exp.Select:
    """The values of the source; `measure` is where they lie on their axis, NULL for categories.

    A value `*` is last but NULL, because a publisher may have taken it for one.
    """
    return query(
        """
        SELECT
            rank, label, known.column_number,
            _sqlanon_measure(type_names[known.column_number], kinds[known.column_number], label) AS measure,
            row_number() OVER (
                PARTITION BY known.column_number ORDER BY label IS NULL ASC, label = '*' ASC, rank ASC
            ) - 1 AS code
        FROM :known AS known CROSS JOIN kinds
        """,
        known=union(
            query(
                "SELECT rank, label, :column_number AS column_number FROM :occur",
                column_number=number(column_number),
                occur=f"values_{key}",
            )
            for key, column_number in numbers.items()
        ).subquery(),
    )


def extents(columns: Columns, numbers: ColumnNumbers, others: ColumnNumbers) -> exp.Select:
    """How many values there are, how many are known (not NULL, not `*`), and the ends of the finite ones.

    A list of `whole` values is everything: those known, and one that stands for all that are not. SA104 for a type that
    is neither measured nor a category.
    """
    return query(
        """
        SELECT
            domain_size, known, column_number, type_name, kind,
            known + CAST(known < domain_size AS INTEGER) AS whole,
            least, greatest
        FROM (
            SELECT counted.*, type_names[column_number] AS type_name, kinds[column_number] AS kind
            FROM (
                SELECT
                    columns.column_number, count(code) AS domain_size,
                    count(label) FILTER (WHERE label <> '*') AS known,
                    arg_min({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS least,
                    arg_max({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS greatest
                FROM (SELECT unnest(:numbers) AS column_number) AS columns
                LEFT JOIN occurring ON occurring.column_number = columns.column_number
                GROUP BY columns.column_number
            ) AS counted
            CROSS JOIN kinds
        ) AS typed
        WHERE CASE
            WHEN kind = 'refused' THEN :unsupported
            ELSE TRUE
        END
        """,
        numbers=exp.array(*map(number, others.values())),
        unsupported=DUCKDB.raise_error(
            UnsupportedType(blank("name"), blank("type")),
            name=name_of_column(columns, numbers),
            type=expression("regexp_replace(type_name, '\\(.*\\)', '', 's')"),
        ),
    )


def name_of_column(columns: Columns, numbers: ColumnNumbers) -> exp.Expr:
    """The name of the column of `column_number`, in quotes."""
    return expression(":names[column_number]", names=exp.array(*(text(repr(columns.names[key])) for key in numbers)))


def domain(key: str, column_number: int) -> exp.Select:
    """The domain of a column without a taxonomy, with its values as they are in the source."""
    return query(
        """
        SELECT known.value, known.label, occurring.measure, occurring.code
        FROM :occur AS known
        JOIN occurring ON occurring.column_number = :column_number AND occurring.rank = known.rank
        """,
        occur=f"values_{key}",
        column_number=number(column_number),
    )


def number(column_number: int) -> exp.Expr:
    """A number literal."""
    return exp.Literal.number(column_number)


def gap(key: str, column_number: int) -> exp.Select:
    """One row: whether the source has NULL, or a `*` that is no leaf; and how many other values are none.

    Texts are compared here, where they are compared as the column compares them.
    """
    return query(
        """
        SELECT
            coalesce(bool_or(label IS NULL OR (label = '*' AND path IS NULL)), FALSE) AS gap,
            count(*) FILTER (WHERE label <> '*' AND path IS NULL) AS uncovered,
            :column_number AS column_number
        FROM :occur
        LEFT JOIN :taxonomy ON path[1] = label
        """,
        column_number=number(column_number),
        occur=f"values_{key}",
        taxonomy=taxonomy_step(key),
    )


def leaf_counts(columns: Columns, numbers: ColumnNumbers) -> exp.Select:
    """How many leaves each taxonomy has, with NULL and without. SA105 if a value of the source is none of them."""
    return query(
        """
        SELECT
            domain_size, known, column_number, 'VARCHAR' AS type_name, 'tree' AS kind, domain_size AS whole,
            CAST(NULL AS STRUCT(label VARCHAR, measure DOUBLE)) AS least,
            CAST(NULL AS STRUCT(label VARCHAR, measure DOUBLE)) AS greatest
        FROM (
            SELECT
                gaps.column_number, any_value(uncovered) AS uncovered,
                count(code) AS domain_size, count(path) AS known
            FROM gaps
            LEFT JOIN leaves ON leaves.column_number = gaps.column_number
            GROUP BY gaps.column_number
        ) AS counted
        WHERE CASE WHEN uncovered > 0 THEN :refused ELSE TRUE END
        """,
        refused=refused_leaves(name_of_column(columns, numbers), column("uncovered")),
    )
