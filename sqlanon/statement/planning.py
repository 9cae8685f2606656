"""From the arguments of a call to the one statement that answers it. Pure: it never sees the data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from sqlanon import functions
from sqlanon.arguments import type_name
from sqlanon.errors import Guard, InvalidParameter, SqlanonError

STATEMENT_TEXT = "statement_text"
"""The name by which the expression sqlanon_explain asks for a statement as text, which does not run."""


def plan_or_refuse(function: str, arguments: Mapping[str, object]) -> str:
    """The statement of a call, or one that DuckDB refuses with our error while it binds it.

    DuckDB calls this at bind time, possibly more than once for one statement. It would put words of its own before an
    exception; error() says ours alone. The caller of sqlanon_explain, which is text and no statement, does the same.
    """
    try:
        return plan(function, arguments)
    except SqlanonError as error:
        return str(error) if function == STATEMENT_TEXT else refusal(error)


def refusal(error: SqlanonError) -> str:
    """A statement that cannot be bound."""
    from .template import query, text
    from .writer import write_statement

    return write_statement(query("SELECT * FROM query(error(:message))", message=text(str(error))))


def plan(function: str, arguments: Mapping[str, object]) -> str:
    """The statement of a call."""
    with Guard(f"planning {function}"):
        if function == STATEMENT_TEXT:
            return statement_text(**read_struct(arguments))
        return statement(function, read_struct(arguments))


def statement_text(function: object, arguments: object) -> str:
    """The statement of a function. A seed is a secret, so NULL stands in its place."""
    if not isinstance(function, str):
        raise InvalidParameter(f"function must be text, not {type_name(function)}.")
    return _write_once(functions.find(function).builder, call_without_seed(function, read_struct(arguments)))


def readable_call(function: str, arguments: Mapping[str, object]) -> Hashable:
    """The checked arguments of a call that can be explained: some functions are plain SQL, without a statement."""
    if not functions.find(function).reader:
        raise InvalidParameter(f"function: {function!r} has no statement of its own.", "It is one step.")
    if function == "sqlanon_explain":
        raise InvalidParameter("function: sqlanon_explain does not explain itself.", "Explain the call inside it.")
    return read_request(function, arguments)


def call_without_seed(function: str, arguments: Mapping[str, object]) -> Hashable:
    """The checked arguments of a call whose SQL is shown: a seed is checked as well, and NULL stands in its place."""
    request = readable_call(function, arguments)
    return read_request(function, {**arguments, "seed": None}) if takes_seed(function) else request


def takes_seed(function: str) -> bool:
    """Whether a function draws what must stay secret; a workload or built-in data is drawn by a number, never NULL."""
    return functions.signature(functions.find(function).name).get("seed", 0) is None


def read_struct(arguments: object) -> Mapping[str, object]:
    """The arguments of a call, by name."""
    if not isinstance(arguments, Mapping):
        raise InvalidParameter(
            f"arguments must be a struct or map, not {type_name(arguments)}.",
            "Write {'tbl': 'patients', 'qi': ['age']}.",
        )
    return arguments


def statement(function: str, arguments: Mapping[str, object]) -> str:
    """The statement of a call whose arguments were read from SQL."""
    return _write_once(functions.find(function).builder, read_request(function, arguments))


def read_request(function: str, arguments: Mapping[str, object]) -> Hashable:
    """The checked arguments of a call."""
    request: Hashable = import_function(functions.find(function).reader)(function, arguments)
    return request


@lru_cache(maxsize=1024)
def _write_once(builder: str, request: Hashable) -> str:
    from .writer import write_statement  # here, because it brings sqlglot: importing sqlanon stays light

    return write_statement(import_function(builder)(request))


def import_function(name: str) -> Callable[..., Any]:
    """A function that the table of functions names."""
    module, _, function = name.partition(":")
    imported: Callable[..., Any] = getattr(import_module(f"sqlanon.{module}"), function)
    return imported
