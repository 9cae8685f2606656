"""The macros of sql/ as statements that create them.

Their bodies are written like any statement of ours, see writer: a macro means the same whatever else is in a database.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.parsers.duckdb import DuckDBParser

from sqlanon.sql import CATALOG, Macro, Variant, read_macros

from .writer import write_statement


class PlainParser(DuckDBParser):
    """Takes every function for what it is called: what sqlglot knows of functions is for translating them."""

    FUNCTIONS = {}  # noqa: RUF012


class PlainDuckDB(DuckDB):
    """DuckDB's SQL, not to be translated."""

    Parser = PlainParser


@cache
def helper_macros() -> tuple[str, ...]:
    """Statements that create, in our catalog, the macros that only our statements call."""
    return tuple(_shared(macro) for macro in read_macros() if not macro.is_public)


@cache
def shared_macros() -> tuple[str, ...]:
    """Statements that create the public macros in our catalog."""
    return tuple(_shared(macro) for macro in read_macros() if macro.is_public)


def _shared(macro: Macro) -> str:
    return f"CREATE OR REPLACE MACRO {CATALOG}.main.{definition(macro)}"


@cache
def macro_comments() -> tuple[str, ...]:
    """Statements that let DuckDB's catalog say what the public macros answer, in the words of sql/."""
    return tuple(
        f"COMMENT ON MACRO {'TABLE ' if macro.variants[0].is_table else ''}{CATALOG}.main.{macro.name} "
        f"IS {exp.Literal.string(macro.description).sql(dialect=PlainDuckDB)}"
        for macro in read_macros()
        if macro.is_public
    )


@cache
def public_macros() -> tuple[str, ...]:
    """Statements that create the public macros under their bare names, for one cursor."""
    return tuple(f"CREATE OR REPLACE TEMP MACRO {definition(macro)}" for macro in read_macros() if macro.is_public)


@cache
def definition(macro: Macro) -> str:
    """The name of a macro, and what follows it."""
    return macro.name + ",\n".join(map(written_variant, macro.variants))


def written_variant(variant: Variant) -> str:
    """A parameter list and its body; what a macro stands for in an expression is put in parentheses."""
    parameters = ", ".join(written_parameters(variant))
    body = written(variant.body)
    return f"({parameters}) AS TABLE {body}" if variant.is_table else f"({parameters}) AS ({body})"


def written_parameters(variant: Variant) -> Iterator[str]:
    """The parameters: bare, typed, or with a default."""
    for name, rest in variant.parameters:
        yield f"{name} := {written(rest.removeprefix(':='))}" if rest.startswith(":=") else f"{name} {rest}".strip()


def written(text: str) -> str:
    """A piece of a macro, with nothing left to what users may have defined."""
    return write_statement(sqlglot.parse_one(text, dialect=PlainDuckDB))
