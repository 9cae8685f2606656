"""Source and release in codes, for programs that learn from them: what every cell covers, and what is to be predicted.

low_i, high_i   the codes of column i that a row may have; equal in the source. -1 for a value that has none
target          what is to be predicted, as text; where the release lists several, or has a label, a row for each value
row             the number of a row of the release
weight          the share of that value; where a cell covers several intervals of codes, a row for each, with its share
key             what tells rows apart, if such a column is named
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from sqlanon.statement.template import Columns, column, expression, query
from sqlanon.statement.writer import write_statement

from .boxes import SA
from .request import Evaluation
from .statement import named_columns, with_evaluation_steps


@lru_cache(maxsize=64)
def source_codes(request: Evaluation, key: str | None) -> str:
    """Select the rows of the source; `kind_i` and `measure_i` say where a code lies, `size_i` how many there are."""
    columns = all_columns(request, key)
    rows = exp.select("CAST(source.sa_1 AS VARCHAR) AS target").from_("source")
    order: list[exp.Expr] = [column("target")]
    for i, qi in enumerate(columns.qi, 1):
        tree = qi in columns.taxonomy
        value, domain = column(qi, "source"), f"known_{i}"
        known = exp.cast(value, "VARCHAR") if tree else value
        same = exp.NullSafeEQ(this=known, expression=column("label" if tree else "value", domain))
        rows = rows.join(exp.alias_(exp.to_table(f"domain_{qi}"), domain, table=True), on=same, join_type="left")
        kind = exp.Literal.string("category") if tree else expression("_sqlanon_kind(typeof(:value))", value=value)
        rows = rows.select(
            f"coalesce({domain}.code, -1) AS low_{i}",
            f"(SELECT count(*) FROM domain_{qi}) AS size_{i}",
            exp.alias_(expression(":value IS NULL", value=value), f"missing_{i}"),
            exp.alias_(kind, f"kind_{i}"),
            exp.alias_(exp.Literal.number("0.0") if tree else column("measure", domain), f"measure_{i}"),
        )
        order.append(column(f"low_{i}"))
    if key is not None:
        rows = rows.select("CAST(source.keep_1 AS VARCHAR) AS key")
        order.append(column("key"))
    rows.set("order", by(*order))
    return write_statement(with_evaluation_steps(rows, request, columns))


@lru_cache(maxsize=64)
def release_codes(request: Evaluation, key: str | None) -> str:
    """Select the rows of the release, matched by what they publish; SA301 where that cannot come from the source."""
    columns = all_columns(request, key)
    numbered = query(
        "SELECT *, :number - 1 AS row FROM released",
        number=exp.Window(this=exp.RowNumber(), order=by(*map(column, columns.names))),
    )
    shares = " * ".join(f"cell_{i}.share" for i, _ in enumerate(columns.qi, 1))
    coded = (
        exp.select("listed.row", "targets.target", f"{shares} * targets.share AS weight")
        .from_(numbered.subquery("listed"))
        .join(targets(columns).subquery("targets"), on=expression(f"listed.{SA} IS NOT DISTINCT FROM targets.cell"))
    )
    for i, qi in enumerate(columns.qi, 1):
        cells = exp.alias_(exp.to_table(f"cells_{qi}"), f"cell_{i}", table=True)
        same = exp.NullSafeEQ(this=column(qi, "listed"), expression=column("cell", f"cell_{i}"))
        coded = coded.join(cells, on=same).select(f"cell_{i}.low AS low_{i}", f"cell_{i}.high AS high_{i}")
    if key is not None:
        coded = coded.select("CAST(listed.keep_1 AS VARCHAR) AS key")
    lows = (column(f"low_{i}") for i, _ in enumerate(columns.qi, 1))
    coded.set("order", by(column("row"), column("target"), *lows))
    return write_statement(with_evaluation_steps(coded, request, columns))


def targets(columns: Columns) -> exp.Select:
    """The values of the source that each published target covers, with their shares.

    Leaves of a taxonomy that do not occur are left out: nobody has them.
    """
    return query(
        """
        SELECT cell, target, share / sum(share) OVER (PARTITION BY number) AS share
        FROM (
            SELECT cells.cell, cells.number, CAST(:value AS VARCHAR) AS target,
                cells.share / (cells.high - cells.low + 1) AS share
            FROM :cells AS cells
            JOIN :domain AS domain ON domain.code BETWEEN cells.low AND cells.high
        ) AS covered
        SEMI JOIN (SELECT DISTINCT CAST(:sa AS VARCHAR) AS known FROM source) AS occurring
            ON known IS NOT DISTINCT FROM target
        """,
        value=column("label" if SA in columns.taxonomy else "value", "domain"),
        cells=f"cells_{SA}",
        domain=f"domain_{SA}",
        sa=column(SA),
    )


def by(*keys: exp.Expr) -> exp.Order:
    """An order, so that the same rows are the same examples; rows that tie are the same."""
    return exp.Order(expressions=[exp.Ordered(this=key, desc=False, nulls_first=False) for key in keys])


def all_columns(request: Evaluation, key: str | None) -> Columns:
    """The columns of an evaluation, and the key."""
    return named_columns(request, () if key is None else (key,))
