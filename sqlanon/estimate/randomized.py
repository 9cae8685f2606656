"""The statement behind estimate for a randomized release.

params, parameters  the parameters that were published with the release
released            the columns that the query mentions: a_1 …, those of GROUP BY first
kept_*              for a column without parameters, which is published as it is: its values, as text and in order
described           one row: the parameters of all columns; a kept one has lists of one value that is always true
items               one row: an item of each column, for its type
values_*            the values of a column that is compared, as text and in its type
lists               one row: the distinct combinations of lists, as text, with the rows that have each
answered            one row: the groups with their estimates and intervals
"""

from __future__ import annotations

import json

from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter, UnsupportedType, WrongColumn
from sqlanon.estimate.request import Estimation
from sqlanon.queries.conditions import Comparison, Condition, comparisons
from sqlanon.queries.query import Query, read_query
from sqlanon.randomize.published import item_types, params_steps
from sqlanon.randomize.reconstruct import counted_lists
from sqlanon.randomize.request import MOST_ATTRIBUTES, PublishedParameters
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import read_table_for, wanted_columns
from sqlanon.statement.template import Once, Step, column, expression, identifier, query, struct, text, with_steps

from .comparisons import truth


def randomized_statement(request: Estimation) -> exp.Select:
    """Build the statement that counts rows of the source, with an interval for each count."""
    asked = read_query(request.query)
    if asked.aggregate != "count":
        raise InvalidParameter(
            f"query: {asked.aggregate}() cannot be estimated from a randomized release.", "Ask for count(*)."
        )
    if len(asked.names) > MOST_ATTRIBUTES:
        raise InvalidParameter(
            f"query uses {len(asked.names)} columns; up to {MOST_ATTRIBUTES} are possible in a randomized release.",
            "A cross tabulation of more would tell nothing.",
        )
    return counted_groups(request, asked) if asked.names else counted_rows(request, asked)


def counted_rows(request: Estimation, asked: Query) -> exp.Select:
    """All rows, or none: the condition names no column."""
    return query(
        """
        SELECT CAST(n AS DOUBLE) AS estimate, n AS lower, n + CASE WHEN :met THEN :suppressed ELSE 0 END AS upper
        FROM (SELECT count(*) AS n FROM :rel WHERE :met)
        """,
        rel=read_table_for("estimate", request.rel, "rel"),
        met=exp.convert(asked.condition is True),
        suppressed=exp.Literal.number(request.suppressed),
    )


def counted_groups(request: Estimation, asked: Query) -> exp.Select:
    """One row per group in which a row may be, in the order of the domains."""
    keys = {f"a_{number}": asked.names[position] for number, position in enumerate(asked.order, 1)}
    compared = list(dict.fromkeys(comparisons(asked.condition)))
    values = (
        exp.alias_(
            expression(
                "cast_to_type(list_extract(struct_extract(answer, 'keys'), :number), :item)",
                number=exp.Literal.number(number),
                item=column(f"a_{number}", "items"),
            ),
            identifier(group.title),
        )
        for number, group in enumerate(asked.groups, 1)
    )
    left_out = exp.Literal.number(request.suppressed)
    numbers = (
        exp.alias_(expression("struct_extract(answer, 'estimate')"), "estimate"),
        exp.alias_(expression("struct_extract(answer, 'lower')"), "lower"),
        exp.alias_(expression("struct_extract(answer, 'upper') + :left_out", left_out=left_out), "upper"),
    )
    groups = query("SELECT unnest(groups) AS answer, unnest(range(len(groups))) AS position FROM answered")
    rows = exp.select(*values, *numbers).from_(groups.subquery("groups"))
    rows = rows.join("items", join_type="cross", copy=False).order_by("groups.position ASC", dialect="duckdb")
    steps: dict[str, Step] = {
        **params_steps(PublishedParameters("estimate", request.params or "")),
        "released": Once(release_rows(request, keys)),
        **{f"kept_{key}": kept_values(key, name) for key, name in keys.items()},
        "described": describe_parameters(keys),
        "items": item_types(keys),
        **{
            f"values_{key}": domain_values(key, name)
            for key, name in keys.items()
            if any(key_of(asked, each) == key for each in compared)
        },
        "lists": counted_lists({key: published_lists(key, name) for key, name in keys.items()}),
        "answered": Once(
            query(
                """
                SELECT _sqlanon_randomized_counts(:setting, described.parameters, lists.lists) AS groups
                FROM described CROSS JOIN lists
                """,
                setting=setting(asked, keys, compared),
            )
        ),
    }
    return with_steps(rows, steps)


def release_rows(request: Estimation, keys: dict[str, str]) -> exp.Select:
    """The columns of the release. A VARIANT is refused: it has no type that a constant could be compared in."""
    wanted = wanted_columns(request.rel, "estimate", keys, argument="rel")
    return wanted.select(*(exp.alias_(typed_value(key, name), key) for key, name in keys.items()), append=False)


def typed_value(key: str, name: str) -> exp.Expr:
    """The value of a column, of any type but VARIANT."""
    return expression(
        "CASE WHEN typeof(:key) = 'VARIANT' THEN error(:refused) ELSE :key END",
        key=column(key),
        refused=text(str(UnsupportedType(name, "VARIANT"))),
    )


def key_of(asked: Query, comparison: Comparison) -> str:
    """Our name of the column that is compared."""
    return f"a_{asked.order.index(comparison.column) + 1}"


def is_published(name: str) -> exp.Expr:
    """Whether params has a row for a column. Names differ by more than the case of ASCII letters."""
    return query(
        "SELECT count(*) > 0 FROM params WHERE :folded = :name", folded=folded_attribute(), name=text(fold(name))
    ).subquery()


def folded_attribute() -> exp.Expr:
    upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return expression(
        "translate(CAST(attribute AS VARCHAR), :upper, :lower)", upper=text(upper), lower=text(upper.lower())
    )


def published_lists(key: str, name: str) -> exp.Expr:
    """The list of a row as text; of a kept column, of its one value."""
    return expression(
        "CASE WHEN :known THEN TRY_CAST(:value AS VARCHAR[]) ELSE [CAST(:value AS VARCHAR)] END",
        known=is_published(name),
        value=column(key),
    )


def kept_values(key: str, name: str) -> exp.Select:
    """One row: the distinct values of a column in their order. Lists without parameters are refused."""
    missing = WrongColumn(f"column {name!r} of rel holds lists, and params has no attribute {name!r}.", PARAMS_OF)
    return query(
        """
        SELECT
            CASE WHEN bool_or(listed) THEN :missing ELSE list(label ORDER BY value ASC NULLS LAST) END AS domain
        FROM (
            SELECT
                CAST(:key AS VARCHAR) AS label, any_value(:key) AS value,
                bool_or(typeof(:key) LIKE '%]' OR coalesce(CAST(:key AS VARCHAR) LIKE '[%]', FALSE)) AS listed
            FROM released WHERE NOT :known GROUP BY CAST(:key AS VARCHAR)
        ) AS labels
        """,
        key=column(key),
        known=is_published(name),
        missing=DUCKDB.raise_error(missing),
    )


PARAMS_OF = "Give the params that randomize_params made for this release."


def describe_parameters(keys: dict[str, str]) -> exp.Select:
    """One row: the parameters of randomized columns as they were published, and those of kept ones."""
    rows: list[exp.Query] = [query("SELECT unnest(parameters) AS parameter FROM parameters")]
    for key, name in keys.items():
        parameter = struct(
            [
                ("attribute", text(name)),
                ("domain", expression("CAST(coalesce(domain, [NULL]) AS VARCHAR[])")),
                ("eta", expression("CAST(1 AS INTEGER)")),
                ("p", expression("CAST(1 AS DOUBLE)")),
                ("ground", expression("CAST(NULL AS VARCHAR)")),
            ]
        )
        kept = exp.select(exp.alias_(parameter, "parameter")).from_(f"kept_{key}")
        rows.append(kept.where(exp.not_(is_published(name))))
    return query(
        "SELECT list(parameter) AS parameters FROM :rows", rows=exp.union(*rows, distinct=False).subquery("rows")
    )


def domain_values(key: str, name: str) -> exp.Select:
    """The values of a column, in the order of its domain."""
    labels = query(
        """
        SELECT unnest(domain) AS label, unnest(range(len(domain))) AS position
        FROM (
            SELECT struct_extract(parameter, 'attribute') AS attribute, struct_extract(parameter, 'domain') AS domain
            FROM (SELECT unnest(parameters) AS parameter FROM described) AS rows
        ) AS attributes
        WHERE :folded = :name
        """,
        folded=folded_attribute(),
        name=text(fold(name)),
    )
    return query(
        "SELECT position, label, TRY(cast_to_type(label, :item)) AS value FROM :labels CROSS JOIN items",
        item=column(key, "items"),
        labels=labels.subquery("labels"),
    )


def setting(asked: Query, keys: dict[str, str], compared: list[Comparison]) -> exp.Struct:
    """The settings of a query for the Arrow function."""
    judged = []
    for each in compared:
        truths = query(
            "SELECT list(:truth ORDER BY position) FROM :rows",
            truth=truth(each, asked.names[each.column]),
            rows=f"values_{key_of(asked, each)}",
        )
        position = exp.Literal.number(asked.order.index(each.column))
        judged.append(struct([("attribute", position), ("truths", truths.subquery())]))
    return struct(
        [
            ("attributes", exp.array(*map(text, keys.values()))),
            ("keys", exp.Literal.number(len(asked.groups))),
            ("condition", text(json.dumps(number_comparisons(asked.condition, compared)))),
            ("comparisons", exp.array(*judged)),
        ]
    )


def number_comparisons(condition: Condition, compared: list[Comparison]) -> object:
    """A condition with numbers for its comparisons."""
    if isinstance(condition, Comparison):
        return compared.index(condition)
    if isinstance(condition, tuple):
        word, *parts = condition
        return [word, *(number_comparisons(part, compared) for part in parts)]  # type: ignore[arg-type]
    return condition
