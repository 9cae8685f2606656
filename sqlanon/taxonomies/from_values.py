"""Statements that make taxonomies from data: one row per value, the leaf first, then ever more general labels.

DuckDB wants to know the columns of a table before it reads a row. So their number follows from arguments, or from the
type of a column, and never from the data.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import InvalidParameter, SqlanonError, UnsupportedType
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.source import plain_value, wanted_columns
from sqlanon.statement.template import Once, expression, query, with_steps

from .bins import Binning, bin_paths, bins_between, equal_frequency, equal_width, inner_levels, occurring_values
from .request import DateTaxonomy, NumericTaxonomy, PrefixTaxonomy

KEY = "col"
"""Our name of the column."""

TYPE = blank("type")
"""Where the name of a type goes in the text of an error: only the running statement knows it."""


def numeric_statement(request: NumericTaxonomy) -> exp.Select:
    """Bins of a column with an order, and half as many on every level above."""
    binning = binning_of(request)
    source = typed_source(
        request.tbl,
        request.function,
        request.col,
        suited=expression("_sqlanon_kind(typeof(col)) = 'range'"),
        refused=InvalidParameter(
            f"column {request.col!r} has type {TYPE}; bins are for numbers, dates and times.",
            "Cast it in tbl, or take prefix_taxonomy.",
        ),
    )
    paths = bin_paths(occurring_values(KEY), binning)
    made = wide(paths, inner_levels(binning.bins) + 1, order=expression("value"))
    return with_steps(made, {"source": Once(source)})


def binning_of(request: NumericTaxonomy) -> Binning:
    """How values get into bins."""
    if request.cuts:
        refused = InvalidParameter(
            f"cuts has something that is no finite value of the type of column {request.col!r}.",
            "Write numbers for numbers, and dates and times as text: ['2024-01-31'].",
        )
        return bins_between(request.cuts, refused)
    return equal_frequency(request.bins) if request.method == "frequency" else equal_width(request.bins)


def prefix_statement(request: PrefixTaxonomy) -> exp.Select:
    """Stars in the place of ever more characters, from the right. In the order of bytes, prefixes are together."""
    labels = (
        expression(f"_sqlanon_prefix_label(label, {kept_characters(level, request.levels)}, width, extended)")
        for level in range(1, request.levels + 1)
    )
    paths = query(
        """
        SELECT label, list_concat([label], :labels) AS path
        FROM (
            SELECT
                label,
                max(length(label)) OVER () AS width,
                coalesce(
                    starts_with(lead(label) OVER (ORDER BY encode(label) ASC NULLS LAST), label), FALSE
                ) AS extended
            FROM (SELECT CAST(value AS VARCHAR) AS label FROM :occurring) AS texts
        ) AS measured
        """,
        labels=exp.array(*labels),
        occurring=occurring_values(KEY).subquery("occurring"),
    )
    source = typed_source(request.tbl, request.function, request.col)
    return with_steps(wide(paths, request.levels, order=expression("encode(label)")), {"source": Once(source)})


def kept_characters(level: int, levels: int) -> str:
    """How many characters stay, as SQL: one less on every level, or, of longer texts, as many less as it takes.

    >>> kept_characters(1, 5)
    'CASE WHEN width <= 5 THEN 4 ELSE width * 4 // 5 END'
    """
    above = levels - level
    return f"CASE WHEN width <= {levels} THEN {above} ELSE width * {above} // {levels} END"


def date_statement(request: DateTaxonomy) -> exp.Select:
    """The day, the month and so on. How many columns that is follows from the type of the column."""
    source = typed_source(
        request.tbl,
        request.function,
        request.col,
        suited=expression("typeof(col) = 'DATE' OR typeof(col) LIKE 'TIMESTAMP%'"),
        refused=InvalidParameter(
            f"column {request.col!r} has type {TYPE}; days and months are for dates and timestamps.",
            "Cast it in tbl.",
        ),
    )
    made = query(
        """
        SELECT unnest(labels)
        FROM (SELECT value, _sqlanon_calendar(value, value) AS labels FROM :occurring) AS labelled
        ORDER BY value ASC NULLS LAST
        """,
        occurring=occurring_values(KEY).subquery("occurring"),
    )
    return with_steps(made, {"source": Once(source)})


def typed_source(
    tbl: str, function: str, col: str, suited: exp.Expr | None = None, refused: SqlanonError | None = None
) -> exp.Select:
    """The column under our name. Types that no taxonomy is for are refused, and those that this one is not for."""
    unsupported = type_error(UnsupportedType(col, TYPE))
    cases = exp.Case().when(expression("_sqlanon_kind(typeof(col)) = 'refused'"), unsupported)
    if suited is not None and refused is not None:
        cases = cases.when(exp.not_(exp.paren(suited)), type_error(refused))
    plain = wanted_columns(tbl, function, {KEY: col}).select(exp.alias_(plain_value(KEY), KEY), append=False)
    return exp.select(exp.alias_(cases.else_(exp.column(KEY)), KEY)).from_(plain.subquery("plain"))


def type_error(error: SqlanonError) -> exp.Expr:
    """An error that names the type of the column. What is in its parentheses may be data: the values of an ENUM."""
    return DUCKDB.raise_error(error, type=expression("regexp_replace(typeof(col), '\\(.*\\)', '', 's')"))


def wide(paths: exp.Select, levels: int, order: exp.Expr) -> exp.Select:
    """Paths as a table: leaf, level_1, …"""
    columns = (expression(f"path[{level + 1}] AS {name}") for level, name in enumerate(column_names(levels)))
    return exp.select(*columns).from_(paths.subquery("paths"), copy=False).order_by(exp.Ordered(this=order))


def column_names(levels: int) -> list[str]:
    """The columns of a taxonomy with so many levels above the leaf.

    >>> column_names(2)
    ['leaf', 'level_1', 'level_2']
    """
    return ["leaf", *(f"level_{level}" for level in range(1, levels + 1))]
