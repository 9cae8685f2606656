"""The front door: make a DuckDB connection an anonymizer."""

from __future__ import annotations

import atexit
import contextlib
import weakref
from typing import Any

import duckdb

from .planner import plan
from .sql import macros


def connect(path: str = ":memory:", **duckdb_options: Any) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB database with sqlanon loaded; the options are those of `duckdb.connect`."""
    con = duckdb.connect(path, **duckdb_options)
    try:
        return load(con)
    except BaseException:
        con.close()
        raise


def load(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Add sqlanon's SQL functions to a connection or a cursor, and return it. Loading twice does no harm.

    Functions are shared by all cursors of a connection; macros belong to the one they are loaded on.
    """
    from . import datasets, udfs  # here, because they bring pyarrow: importing sqlanon stays light

    known = _known_functions(con)
    if "_sqlanon_plan" not in known:
        _register(con, "_sqlanon_plan", plan, "VARCHAR", "native")
    for udf in udfs.ALL:
        if udf.NAME not in known:
            _register(con, udf.NAME, udf.call, udf.RETURNS, "arrow")
    paths = {"adult_file": str(datasets.ADULT_FILE), "taxonomies": str(datasets.TAXONOMIES)}
    for definitions in macros(paths):
        con.execute(definitions)
    _loaded.add(con)
    return con


def _known_functions(con: duckdb.DuckDBPyConnection) -> set[str]:
    found = con.execute("SELECT function_name FROM duckdb_functions() WHERE starts_with(function_name, '_sqlanon_')")
    return {name for (name,) in found.fetchall()}


def _register(con: duckdb.DuckDBPyConnection, name: str, call: Any, returns: str, kind: str) -> None:
    """Register a function of any argument types that sees NULLs and may be folded at bind time."""
    how: dict[str, Any] = {"type": kind, "null_handling": "special", "side_effects": False}
    con.create_function(name, call, None, returns, **how)


_loaded: weakref.WeakSet[duckdb.DuckDBPyConnection] = weakref.WeakSet()


@atexit.register
def _close_loaded() -> None:
    """DuckDB prints pages of leak warnings if a connection still holds Python functions at the very end."""
    for con in list(_loaded):
        with contextlib.suppress(duckdb.Error):
            con.close()
