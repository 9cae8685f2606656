"""Comparisons of a value with constants, as trees of SQL that DuckDB judges. No text of a user goes into them as SQL.

>>> value = exp.column("value")
>>> write_comparison(value, "<", [Constant("-30", "DECIMAL")]).sql("duckdb")
'value < -30'
>>> write_comparison(value, "in", [Constant("it's", "VARCHAR"), Constant("2024-02-29", "DATE")]).sql("duckdb")
"value IN ('it''s', CAST('2024-02-29' AS DATE))"
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from .conditions import Constant

OPERATORS: dict[str, type[exp.Binary]] = {"in": exp.EQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


def write_comparison(value: exp.Expr, operator: str, constants: Sequence[Constant]) -> exp.Expr:
    """Write value IN (constants), value BETWEEN the two there are, or another comparison with the one there is."""
    written = [write_constant(each) for each in constants]
    if operator == "between":
        low, high = written
        return exp.Between(this=value, low=low, high=high)
    if operator == "in" and len(written) > 1:
        return exp.In(this=value, expressions=written)
    (constant,) = written
    return OPERATORS[operator](this=value, expression=constant)


def write_constant(constant: Constant) -> exp.Expr:
    """Write a constant as the query has it."""
    if constant.type == "VARCHAR":
        return exp.Literal.string(constant.text)
    if constant.type == "DECIMAL":
        digits = exp.Literal(this=constant.text.removeprefix("-"), is_string=False)
        return exp.Neg(this=digits) if constant.text.startswith("-") else digits
    kind = exp.DataType.build(constant.type, dialect="duckdb")
    return exp.cast(exp.Literal.string(constant.text), kind, dialect="duckdb")
