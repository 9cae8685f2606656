"""Source and release in codes, for programs that learn from them: what every cell covers, and what is to be predicted.

low_i, high_i   the codes of column i that a row may have; equal in the source. -1 for a value that has none
target          what is to be predicted, as text; where the release lists several, a row for each
row             the number of a row of the release
weight          1 / the values listed
key             what tells rows apart, if such a column is named
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from sqlanon.request.evaluation import Evaluation

from .evaluate import own_names, with_evaluation_steps
from .sensitive import SA, published_values
from .template import Columns, column, expression, query
from .writer import write_statement


@lru_cache(maxsize=64)
def source_codes(request: Evaluation, key: str | None) -> str:
    """Select the rows of the source; `kind_i` and `measure_i` say where a code lies, `size_i` how many there are."""
    columns = all_columns(request, key)
    rows = exp.select("CAST(source.sa_1 AS VARCHAR) AS target").from_("source")
    order: list[exp.Expr] = [column("target")]
    for i, own in enumerate(columns.qi, 1):
        tree = own in columns.taxonomy
        value, place = column(own, "source"), f"place_{i}"
        known = exp.cast(value, "VARCHAR") if tree else value
        same = exp.NullSafeEQ(this=known, expression=column("label" if tree else "value", place))
        rows = rows.join(exp.alias_(exp.to_table(f"domain_{own}"), place, table=True), on=same, join_type="left")
        kind = exp.Literal.string("category") if tree else expression("_sqlanon_kind(typeof(:value))", value=value)
        rows = rows.select(
            f"coalesce({place}.code, -1) AS low_{i}",
            f"(SELECT count(*) FROM domain_{own}) AS size_{i}",
            exp.alias_(expression(":value IS NULL", value=value), f"missing_{i}"),
            exp.alias_(kind, f"kind_{i}"),
            exp.alias_(exp.Literal.number("0.0") if tree else column("measure", place), f"measure_{i}"),
        )
        # by value, not by code: whatever the release lists, the rows keep their order
        star = expression(":label = '*'", label=column("label", place))
        order += [column(f"low_{i}")] if tree else [star, column("value", place)]
    if key is not None:
        rows = rows.select("CAST(source.keep_1 AS VARCHAR) AS key")
        order.append(column("key"))
    rows.set("order", by(*order))
    return write_statement(with_evaluation_steps(rows, request, columns, columns.qi))


@lru_cache(maxsize=64)
def release_codes(request: Evaluation, key: str | None) -> str:
    """Select the rows of the release, matched by what they publish; SA301 where that cannot come from the source."""
    columns = all_columns(request, key)
    rows = query(
        """
        SELECT released.*, :number - 1 AS row, items AS targets
        FROM released JOIN :lists ON cell IS NOT DISTINCT FROM :sa
        """,
        number=exp.Window(this=exp.RowNumber(), order=by(*map(column, columns.names))),
        lists=published_values(columns.names[SA]).subquery("lists"),
        sa=column(SA, "released"),
    )
    coded = exp.select("told.row", "unnest(told.targets) AS target", "1.0 / len(told.targets) AS weight").from_(
        rows.subquery("told")
    )
    for i, own in enumerate(columns.qi, 1):
        cells = exp.alias_(exp.to_table(f"cells_{own}"), f"cell_{i}", table=True)
        same = exp.NullSafeEQ(this=column(own, "told"), expression=column("cell", f"cell_{i}"))
        coded = coded.join(cells, on=same).select(f"cell_{i}.low AS low_{i}", f"cell_{i}.high AS high_{i}")
    if key is not None:
        coded = coded.select("CAST(told.keep_1 AS VARCHAR) AS key")
    coded.set("order", by(column("row"), column("target")))
    return write_statement(with_evaluation_steps(coded, request, columns, columns.qi))


def by(*keys: exp.Expr) -> exp.Order:
    """An order, so that the same rows are the same examples; rows that tie are the same."""
    return exp.Order(expressions=[exp.Ordered(this=key, desc=False, nulls_first=False) for key in keys])


def all_columns(request: Evaluation, key: str | None) -> Columns:
    """The columns of an evaluation, and the key."""
    return own_names(request, () if key is None else (key,))
