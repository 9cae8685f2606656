"""Arguments from DuckDB, checked before a kernel sees it: kernels look codes up in arrays and check nothing.

Statements of sqlanon hand over what is right. But anybody can call a function by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.errors import InvalidParameter

CODES, ROWS = 2**31, 2**63
"""No code, and no number of rows, is as large as this."""


def malformed_call(argument: str, problem: str) -> InvalidParameter:
    """The error of a call by hand."""
    return InvalidParameter(
        f"{argument}: {problem}.", "Functions called _sqlanon_… are for the statements of sqlanon, not to be called."
    )


def listed_rows(argument: str, listed: pa.Scalar) -> pa.StructArray | None:
    """The rows of a list of structs; None for NULL, which is what DuckDB makes of no rows."""
    if not listed.is_valid:
        return None
    if not isinstance(listed, pa.ListScalar) or not pa.types.is_struct(listed.type.value_type):
        raise malformed_call(argument, "not a list of structs")
    if listed.values.null_count:
        raise malformed_call(argument, "a row is NULL")
    return listed.values


def listed_structs(argument: str, listed: pa.Scalar) -> list[dict[str, Any]]:
    """The same as dicts; none for NULL."""
    rows = listed_rows(argument, listed)
    return [] if rows is None else rows.to_pylist()


def field_of(argument: str, rows: pa.StructArray, name: str) -> pa.Array:
    """One of the columns of the rows."""
    if rows.type.get_field_index(name) < 0:
        raise malformed_call(argument, f"there is no column {name}")
    return rows.field(name)


def whole_numbers(argument: str, rows: pa.StructArray, name: str, size: int = CODES, gaps: bool = False) -> pa.Array:
    """One of the columns of the rows, whose numbers are all among 0 … size − 1; or, with `gaps`, NULL."""
    column = field_of(argument, rows, name)
    if pa.types.is_null(column.type) and gaps:
        column = column.cast(pa.int32())
    if not pa.types.is_integer(column.type):
        raise malformed_call(argument, f"column {name} is not one of whole numbers")
    if column.null_count and not gaps:
        raise malformed_call(argument, f"column {name} has a NULL")
    ends = pc.min_max(column).as_py()
    if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < size:
        raise malformed_call(argument, f"column {name} has a code outside its domain of {size}")
    return column


def struct_of(argument: str, struct: pa.Scalar) -> dict[str, Any]:
    """A struct as a dict."""
    if not isinstance(struct, pa.StructScalar) or not struct.is_valid:
        raise malformed_call(argument, "not a struct")
    fields: dict[str, Any] = struct.as_py()
    return fields


def described_columns(columns: pa.Scalar, *fields: str) -> Mapping[str, Any]:
    """The descriptions of the columns, {name: struct}; each has these fields, and more of its kind."""
    if not isinstance(columns, pa.StructScalar) or not columns.is_valid:
        raise malformed_call("columns", "not a struct")
    for name, described in columns.items():
        if not isinstance(described, pa.StructScalar) or not described.is_valid:
            raise malformed_call("columns", f"{name} is not a struct")
        for field in ("column", "type", "kind", *fields):
            if field not in described:
                raise malformed_call("columns", f"{name} has no {field}")
    return cast(Mapping[str, Any], columns)


def list_of(described: Mapping[str, Any], field: str) -> pa.Array:
    """A list in the description of a column; one that is NULL is empty."""
    listed = described.get(field)
    if listed is not None and not listed.is_valid:
        return pa.nulls(0)
    if not isinstance(listed, pa.ListScalar):
        raise malformed_call("columns", f"{field} is not a list")
    return listed.values
