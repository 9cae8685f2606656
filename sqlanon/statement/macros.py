"""Macros as statements that create them: those of sql/, and one for each function of sqlanon/functions/.

Their bodies are written like any statement of ours, see writer: a macro means the same whatever else is in a database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.parsers.duckdb import DuckDBParser

from sqlanon.functions import FUNCTIONS, Function
from sqlanon.functions.declaration import REQUIRED
from sqlanon.sql import CATALOG, Macro, Variant, read_macros

from .writer import write_statement

RELEASES = ("kanonymous", "ldiverse", "anonymize", "taudiverse", "randomize")
"""The functions that publish rows."""


class PlainParser(DuckDBParser):
    """Takes every function for what it is called: what sqlglot knows of functions is for translating them."""

    FUNCTIONS = {}  # noqa: RUF012


class PlainDuckDB(DuckDB):
    """DuckDB's SQL, not to be translated."""

    Parser = PlainParser


@cache
def helper_macros() -> tuple[str, ...]:
    """Statements that create, in our catalog, the macros that only our statements call."""
    return tuple(share_macro(macro) for macro in read_macros())


@cache
def shared_macros() -> tuple[str, ...]:
    """Statements that create the public macros in our catalog."""
    return tuple(share_macro(macro) for function in FUNCTIONS for macro in macros_of(function))


def share_macro(macro: Macro) -> str:
    return f"CREATE OR REPLACE MACRO {CATALOG}.main.{definition(macro)}"


@cache
def macro_comments() -> tuple[str, ...]:
    """Statements that let DuckDB's catalog say what the public macros answer."""
    return tuple(
        f"COMMENT ON MACRO {'TABLE ' if macro.variants[0].is_table else ''}{CATALOG}.main.{function.name} "
        f"IS {exp.Literal.string(function.answer).sql(dialect=PlainDuckDB)}"
        for function in FUNCTIONS
        for macro in macros_of(function)
    )


@cache
def public_macros() -> tuple[str, ...]:
    """Statements that create the public macros under their bare names, for one cursor."""
    return tuple(
        f"CREATE OR REPLACE TEMP MACRO {definition(macro)}" for function in FUNCTIONS for macro in macros_of(function)
    )


def macros_of(function: Function) -> Iterator[Macro]:
    """The macro that users call, and the one of the expression of the same name, if there is one."""
    yield public_macro(function)
    if function.as_expression:
        required = tuple((quote_name(each.name), "") for each in function.parameters if each.default is REQUIRED)
        yield Macro(function.name, (Variant(required, is_table=False, body=function.as_expression),))


def public_macro(function: Function) -> Macro:
    """The macro that users call: it hands its arguments over to the planner by name."""
    parameters = (parameter.written.partition(" ") for parameter in function.parameters)
    variant = Variant(
        parameters=tuple((f'"{name}"', default) for name, _, default in parameters),
        is_table=not function.is_expression,
        body=function.body or planned_body(function),
    )
    return Macro(function.name, (variant,))


def planned_body(function: Function) -> str:
    """A query that the planner writes at bind time."""
    handed_over = (f"'{one.name}': {one.handed_over or quote_name(one.name)}" for one in function.parameters)
    planned = f"FROM query(_sqlanon_plan('{function.name}', {{{', '.join(handed_over)}}}))"
    return f"({planned})" if function.is_expression else planned


def quote_name(name: str) -> str:
    """A name of ours as an identifier."""
    return f'"{name}"'


@cache
def empty_macros() -> tuple[str, ...]:
    """Statements that create, for one cursor, release functions that have their columns and no rows."""
    return tuple(
        f"CREATE OR REPLACE TEMP MACRO {definition(without_rows(public_macro(function)))}"
        for function in FUNCTIONS
        if function.name in RELEASES
    )


def without_rows(macro: Macro) -> Macro:
    """A macro that is bound as ever, and never runs."""
    variants = (
        replace(variant, body=f"SELECT * FROM ({variant.body}) AS release LIMIT 0") for variant in macro.variants
    )
    return replace(macro, variants=tuple(variants))


@cache
def definition(macro: Macro) -> str:
    """The name of a macro, and what follows it."""
    return macro.name + ",\n".join(map(written_variant, macro.variants))


def written_variant(variant: Variant) -> str:
    """A parameter list and its body; what a macro stands for in an expression is put in parentheses."""
    parameters = ", ".join(written_parameters(variant))
    body = write_piece(variant.body)
    return f"({parameters}) AS TABLE {body}" if variant.is_table else f"({parameters}) AS ({body})"


def written_parameters(variant: Variant) -> Iterator[str]:
    """The parameters: bare, typed, or with a default."""
    for name, rest in variant.parameters:
        yield f"{name} := {write_piece(rest.removeprefix(':='))}" if rest.startswith(":=") else f"{name} {rest}".strip()


def write_piece(text: str) -> str:
    """A piece of a macro, with nothing left to what users may have defined."""
    return write_statement(sqlglot.parse_one(text, dialect=PlainDuckDB))
