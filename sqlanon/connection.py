"""The front door: make a DuckDB connection an anonymizer."""

from __future__ import annotations

import atexit
import contextlib
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from .errors import InvalidParameter
from .sql import CATALOG
from .statement.planning import plan_or_refuse


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

    Every cursor of the connection can then call them as `_sqlanon.ldiverse(…)`; the one that is loaded also without
    the prefix.
    """
    # here, because they bring sqlglot: importing sqlanon stays light
    from . import udfs
    from .statement.macros import helper_macros, macro_comments, public_macros, shared_macros
    from .statement.writer import refuse_compiled_sqlglot

    refuse_compiled_sqlglot()
    functions = {"_sqlanon_plan": (plan_or_refuse, "VARCHAR", "native")}
    functions |= {udf.name: (udf.call, udf.return_type, "arrow") for udf in udfs.ALL}
    with _loading:
        if not is_loaded(con):
            _attach(con, helper_macros())
        if missing := functions.keys() - _registered_functions(con):
            _register(con, {name: functions[name] for name in missing})
        # described there alone, once for all cursors: each would wait for it otherwise
        _share(con, (*shared_macros(), *macro_comments()), functions)
    con.execute(";\n".join(public_macros()))
    return con


def is_loaded(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether our catalog is there, and not another of the same name."""
    attached = con.execute(
        f"SELECT path FROM system.main.duckdb_databases() WHERE database_name = '{CATALOG}'"
    ).fetchall()
    if any(path is not None and path != ":memory:" for (path,) in attached):
        raise InvalidParameter(
            f"a database called {CATALOG!r} is attached, which is the name of sqlanon's own.",
            "Attach it under another name.",
        )
    return bool(attached)


def _attach(con: duckdb.DuckDBPyConnection, macros: Sequence[str]) -> None:
    """Attach an in-memory catalog for all cursors, with the macros that our statements use.

    On a cursor, which has a transaction of its own: one that has written to a database cannot write to another.
    """
    with con.cursor() as cursor:
        cursor.execute(f"ATTACH ':memory:' AS {CATALOG} (READ_WRITE)")
        try:
            cursor.execute(";\n".join(("BEGIN", *macros, "COMMIT")))
        except BaseException:  # Ctrl-C, for one: it may have left the transaction open, and is to be seen
            for statement in ("ROLLBACK", f"DETACH {CATALOG}"):
                with contextlib.suppress(duckdb.Error):
                    cursor.execute(statement)
            raise


def _share(con: duckdb.DuckDBPyConnection, macros: Sequence[str], functions: Mapping[str, Any]) -> None:
    """Put public macros in our catalog, if they are not there, once our functions are there for all cursors."""
    with con.cursor() as cursor:
        shared = cursor.execute(
            f"SELECT function_name FROM system.main.duckdb_functions() WHERE database_name = '{CATALOG}' "
            "AND NOT system.main.starts_with(function_name, '_')"
        ).fetchall()
        if not shared and functions.keys() <= _registered_functions(cursor):
            cursor.execute(";\n".join(("BEGIN", *macros, "COMMIT")))


def _registered_functions(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Functions of ours that this transaction sees. Only Python can register them, no database file has any."""
    known = con.execute(
        "SELECT function_name FROM system.main.duckdb_functions() "
        "WHERE database_name = 'system' AND system.main.starts_with(function_name, '_sqlanon_')"
    )
    return {name for (name,) in known.fetchall()}


def _register(con: duckdb.DuckDBPyConnection, functions: Mapping[str, tuple[Any, str, str]]) -> None:
    """Register functions of any argument types that see NULLs and may be folded at bind time.

    A connection that is open when Python ends prints pages of leak warnings if functions were registered on it. So
    that is done on a cursor, which is then forgotten; in our catalog, where no macro of a user's database bears the
    name of a function. But a transaction that is open would not see them.
    """
    with contextlib.ExitStack() as stack:
        if _in_transaction(con):
            _registered_on.add(con)
        else:
            con = stack.enter_context(con.cursor())
            con.execute(f"USE {CATALOG}")
        for name, (call, returns, kind) in functions.items():
            how: dict[str, Any] = {"type": kind, "null_handling": "special", "side_effects": False}
            con.create_function(name, call, None, returns, **how)
            _registered[name] = call


def _in_transaction(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether two statements are in one transaction."""
    first, second = (con.execute("SELECT system.main.txid_current()").fetchall() for _ in range(2))
    return bool(first == second)


_loading = threading.Lock()
_registered: dict[str, Any] = {}
"""DuckDB does not keep the functions that it calls alive."""
_registered_on: weakref.WeakSet[duckdb.DuckDBPyConnection] = weakref.WeakSet()


@atexit.register
def _remove_functions() -> None:
    """Take our functions off the connections that we could not spare them."""
    for con in list(_registered_on):
        for name in _registered:
            with contextlib.suppress(duckdb.Error):
                con.remove_function(name)
