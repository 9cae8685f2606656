"""SQL of ours: macros that statements call, one concern per file, and the relations of verify/.

The macros that users call are made from sqlanon/functions/. sqlanon/statement/macros.py says where macros go; none is
ever stored in a database file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

CATALOG = "_sqlanon"
"""The in-memory database that holds all macros, for every cursor of a connection."""

FILES = (
    "refusals.sql",
    "types.sql",
    "taxonomies.sql",
    "bins.sql",
    "make_taxonomies.sql",
    "write_cells.sql",
    "read_cells.sql",
    "randomize.sql",
    "certify.sql",
    "estimate.sql",
    "columns.sql",
    "compare.sql",
    "datasets.sql",
)


@dataclass(frozen=True)
class Variant:
    """One parameter list of a macro, (name, type or default) each, and what it stands for: a query or an expression."""

    parameters: tuple[tuple[str, str], ...]
    is_table: bool
    body: str


@dataclass(frozen=True)
class Macro:
    """A macro with its variants, which differ in the types of their parameters."""

    name: str
    variants: tuple[Variant, ...]


@cache
def read_macros() -> tuple[Macro, ...]:
    """Every macro of the files, in their order."""
    return tuple(macro for name in FILES for macro in _macros_of((files(__name__) / name).read_text(encoding="utf-8")))


@cache
def macro_names() -> frozenset[str]:
    """The names of the macros that statements call."""
    return frozenset(macro.name for macro in read_macros())


def _macros_of(text: str) -> Iterator[Macro]:
    """The macros of one file; a comment runs to the end of its line, and no text literal has two dashes."""
    for statement in _split(re.sub(r"--.*", "", text), ";"):
        definition = re.sub(r"^CREATE MACRO\s+", "", statement)
        name, rest = re.fullmatch(r"(\w+)(.*)", definition, re.DOTALL).groups()  # type: ignore[union-attr]
        is_table = re.match(r"[^)]*\)\s+AS\s+TABLE\b", rest) is not None
        variants = tuple(map(_variant, [rest] if is_table else _split(rest, ",")))
        yield Macro(name, variants)


def _variant(text: str) -> Variant:
    listed, body = re.fullmatch(r"\((.*?)\)\s+AS\s+(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    while listed.count("(") > listed.count(")"):  # the type of a parameter has parentheses
        more, body = re.fullmatch(r"(.*?)\)\s+AS\s+(.*)", body, re.DOTALL).groups()  # type: ignore[union-attr]
        listed += ")" + more
    parameters = (parameter.partition(" ") for parameter in _split(listed, ","))
    is_table = body.startswith("TABLE")
    return Variant(
        tuple((name, rest.strip()) for name, _, rest in parameters),
        is_table,
        body.removeprefix("TABLE").strip() if is_table else body,
    )


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand in no parentheses and no quotes."""
    parts, depth = [""], 0
    for piece in re.findall(r"'(?:[^']|'')*'|\"[^\"]*\"|.", text, re.DOTALL):
        depth += (piece in "([{") - (piece in ")]}")
        if piece == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


@cache
def relation_names() -> frozenset[str]:
    """The relations of verify/, each in a file of its own; `records`, the rows to judge, is not among them."""
    return frozenset(file.name.removesuffix(".sql") for file in (files(__name__) / "verify").iterdir())


@cache
def relation_text(name: str) -> str:
    """The SELECT of a relation of verify/, with the comment that defines it."""
    return (files(__name__) / "verify" / f"{name}.sql").read_text(encoding="utf-8")
