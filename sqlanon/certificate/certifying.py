"""From a release to its certificate: the row of the SQL function, as a value."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb

from ..errors import from_duckdb
from .record import Certificate, Number

if TYPE_CHECKING:
    from sqlglot import exp


def certify(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    qi: Sequence[str],
    sa: str | Sequence[str] | None = None,
    *,
    function: str | None = None,
    arguments: Mapping[str, object] | None = None,
    taxonomy: Mapping[str, str] | None = None,
    src: str | None = None,
    people: str | None = None,
    **others: object,
) -> Certificate:
    """Certify a release: the same as `certify(…)` in SQL, whose arguments these are.

    `others` are the bounds (k, l, …, as in violations), entity and nulls. `people` is a table with the rows of the
    release and the column `entity`, which the release then need not have. With `function` and `arguments`, those of
    the call that made the release, its bounds are known; seeds and names of tables are left out of the certificate.
    """
    call: dict[str, object] = {
        "rel": rel,
        "qi": list(qi),
        "sa": sa if sa is None or isinstance(sa, str) else list(sa),
        "function": function,
        "arguments": arguments,
        "taxonomy": taxonomy,
        "src": src,
        **others,
    }
    from .request import read_certification
    from .statement import certify_statement  # here, because it brings sqlglot

    request = replace(read_certification("certify", call), people_rel=people)
    return certificate_of_row(run_tree(con, certify_statement(request)))


def certificate_of_row(row: Mapping[str, Any]) -> Certificate:
    """The certificate that is a row of the SQL function."""
    values = dict(row)
    values |= {name: tuple(row[name]) for name in ("qi", "sa", "promised", "broken", "unchecked")}
    values |= {
        "created": row["created"].replace(tzinfo=dt.UTC),
        "arguments": json.loads(row["arguments"]),
        "bounds": {name: whole_or_real(value) for name, value in row["bounds"].items() if value is not None},
        "columns": tuple((column["name"], column["type"]) for column in row["columns"]),
        "measures": measures_of(row),
        "people": row["people"] and {**row["people"], "measures": measures_of(row["people"])},
        "kept": tuple({**each, "columns": tuple(each["columns"])} for each in row["kept"]),
        "repeating_identifiers": None if row["repeating_identifiers"] is None else tuple(row["repeating_identifiers"]),
        "taxonomies": dict(row["taxonomies"]),
    }
    return Certificate(**values)


def measures_of(row: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The measures of a row, or of the people in it."""
    return tuple({**each, "broken": tuple(each["broken"])} for each in row["measures"])


def whole_or_real(value: float | None) -> Number | None:
    """A number without a point where it is whole."""
    return int(value) if value is not None and value.is_integer() else value


def only_row(con: duckdb.DuckDBPyConnection, statement: str) -> dict[str, Any]:
    """The one row that a statement answers, by name."""
    (row,) = run_all(con, statement)
    return row


def run_all(con: duckdb.DuckDBPyConnection, statement: str) -> list[dict[str, Any]]:
    """The rows that a statement answers, by name. sqlanon is loaded if it is not; errors of ours are raised."""
    from ..connection import load
    from ..sql import CATALOG

    try:
        attached = con.execute(
            f"SELECT 1 FROM system.main.duckdb_databases() WHERE database_name = '{CATALOG}'"
        ).fetchall()
        if not attached:
            load(con)
        answer = con.execute(statement)
        names = [column[0] for column in answer.description or ()]
        rows = answer.fetchall()
    except duckdb.Error as error:
        coded = from_duckdb(error)
        if coded is None:
            raise
        raise coded from error
    return [dict(zip(names, row, strict=True)) for row in rows]


def run_tree(con: duckdb.DuckDBPyConnection, statement: exp.Select) -> dict[str, Any]:
    """Write and run a statement of one row; return the row."""
    from ..statement.writer import write_statement

    return only_row(con, write_statement(statement))
