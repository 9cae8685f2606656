"""Whether a value of a domain satisfies a comparison, as DuckDB itself compares it.

A value whose type is not of the constant's kind, as in a release that was a file, is compared by its text.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.errors import InvalidParameter, ReleaseMismatch
from sqlanon.queries.comparison_sql import write_comparison
from sqlanon.queries.conditions import Comparison, Constant
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.template import column, expression

READERS = {
    "DECIMAL": ("_sqlanon_if_number", "DOUBLE"),
    "DOUBLE": ("_sqlanon_if_number", "DOUBLE"),
    "BOOLEAN": ("_sqlanon_if_boolean", "BOOLEAN"),
    "TIME": ("_sqlanon_if_time", "TIME"),
    "DATE": ("_sqlanon_if_moment", "TIMESTAMP"),
    "TIMESTAMP": ("_sqlanon_if_moment", "TIMESTAMP"),
    "TIMESTAMP_S": ("_sqlanon_if_moment", "TIMESTAMP"),
    "TIMESTAMP_MS": ("_sqlanon_if_moment", "TIMESTAMP"),
    "TIMESTAMPTZ": ("_sqlanon_if_moment", "TIMESTAMPTZ"),
}
"""By type of a constant: the macro that knows values of its kind, and what texts are read as."""


def truth(comparison: Comparison, name: str) -> exp.Expr:
    """TRUE, FALSE or NULL for a row of values_* (see estimate), whose column the analyst calls `name`."""
    if comparison.operator == "null":
        return expression("label IS NULL")
    by_type: dict[str, list[Constant]] = {}
    for constant in comparison.constants:
        by_type.setdefault(constant.type, []).append(constant)
    judged = exp.or_(*(known(comparison.operator, alike, name) for alike in by_type.values()))
    foreign = ReleaseMismatch(
        f"params: the domain of attribute {name!r} has a value that is not of the type of its column in rel.",
        "Are these the parameters of this release?",
    )
    return expression(
        """
        CASE
            WHEN label IS NULL THEN NULL
            WHEN value IS NULL THEN :foreign
            ELSE :judged
        END
        """,
        foreign=DUCKDB.raise_error(foreign, "BOOLEAN"),
        judged=judged,
    )


def known(operator: str, constants: Sequence[Constant], name: str) -> exp.Expr:
    """A comparison with constants of one type; an error where DuckDB cannot compare the two."""
    apart = InvalidParameter(
        f"query compares column {name!r} with a constant of another type than its values.",
        "Compare numbers with numbers, dates with dates (DATE '2024-02-29'), and text with text in quotes.",
    )
    compared = expression("TRY(:compared)", compared=against(operator, constants))
    return expression(
        "CASE WHEN :compared IS NULL THEN :apart ELSE :compared END",
        compared=compared,
        apart=DUCKDB.raise_error(apart, "BOOLEAN"),
    )


def against(operator: str, constants: Sequence[Constant]) -> exp.Expr:
    """A comparison of `value` or, where that is of another kind, of `label`, its text."""
    direct = write_comparison(column("value"), operator, constants)
    if constants[0].type == "VARCHAR":
        return direct
    macro, type_name = READERS[constants[0].type]
    read = exp.TryCast(this=column("label"), to=exp.DataType.build(type_name, dialect="duckdb"))
    by_text = write_comparison(read, operator, constants)
    return expression(f"{macro}(value, :direct, :by_text)", direct=direct, by_text=by_text)
