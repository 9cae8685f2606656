"""The SQL surface in words. sqlanon/functions/ says what a function answers; docs/functions.md, which is installed with
sqlanon, has the examples. Nothing is written down here a second time.

>>> describe("k_anonymity").parameters
('tbl', 'qi')
>>> describe("risk").parameters[2]
'threshold := 0.2'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .errors import InvalidParameter
from .functions import FUNCTIONS

HEADING_OR_SQL = re.compile(r"^#+ (?P<heading>.*)$|^```sql\n(?P<sql>(?:.*\n)*?)```$", re.MULTILINE)
MOST_EXAMPLES = 3


class Described(NamedTuple):
    """A function with its parameters and their defaults, what it answers, and statements that call it."""

    name: str
    parameters: tuple[str, ...]
    text: str
    examples: tuple[str, ...]


def describe(name: str) -> Described:
    """One function; SA102 lists the choices."""
    for function in described_functions():
        if function.name == name.lower():
            return function
    raise InvalidParameter.unknown("function", name, (function.name for function in described_functions()))


@cache
def described_functions() -> tuple[Described, ...]:
    """Every public function."""
    return tuple(
        Described(one.name, tuple(each.written for each in one.parameters), one.answer, examples(one.name))
        for one in FUNCTIONS
    )


def examples(name: str) -> tuple[str, ...]:
    """Statements of the documentation that call a function: of its section first, then those that select from it."""
    calls = [example for example in documented_statements() if re.search(rf'\b{name}"?\(', example.statement)]
    selects = re.compile(rf'\b(?:FROM|SELECT) "?{name}"?\(')
    calls.sort(key=lambda example: (example.section != name, selects.search(example.statement) is None))
    return tuple(example.statement for example in calls[:MOST_EXAMPLES])


class Example(NamedTuple):
    """A statement of the documentation, and the heading above it."""

    section: str
    statement: str


@cache
def documented_statements() -> tuple[Example, ...]:
    """Every SQL statement of docs/functions.md."""
    # in a source tree, docs/ lies beside this package
    folder = files("sqlanon.docs") if find_spec("sqlanon.docs") else Path(__file__).parents[1] / "docs"
    page = (folder / "functions.md").read_text(encoding="utf-8")
    section, documented = "", []
    for match in HEADING_OR_SQL.finditer(page):
        section = match["heading"] or section
        documented += [Example(section, statement) for statement in statements(match["sql"] or "")]
    return tuple(documented)


def statements(block: str) -> Iterator[str]:
    """The statements of a block, each with the comment that follows it on its last line."""
    for match in re.finditer(r"(?:'(?:[^']|'')*'|--[^\n]*|[^;'])+;[ ]*(?:--[^\n]*)?", block):
        yield match[0].strip()
