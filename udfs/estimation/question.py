"""The question that the planner asks of the classes, read from its JSON.

A set of values is given in two ways: as runs for numbers and dates, and as texts for everything else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from sqlanon.refusals import Named


class Run(NamedTuple):
    """Neighbouring numbers, from one end to the other; `step` is that end for whole numbers, the last one exclusive."""

    low: float
    low_step: float
    low_closed: bool
    high: float
    high_step: float
    high_closed: bool


class TextRun(NamedTuple):
    """Neighbouring texts; None is no end."""

    low: str | None
    low_closed: bool
    high: str | None
    high_closed: bool


@dataclass(frozen=True)
class Choice:
    """A set of values: NULL or not, and runs of numbers, or texts. `whole`: it has a whole number, a text or NULL."""

    null: bool
    whole: bool
    runs: Sequence[Run]
    among: Sequence[str] | None
    """The texts of the set …"""
    but: Sequence[str] | None
    """… or those that it lacks …"""
    between: Sequence[TextRun]
    """… or, where neither is given, runs of them."""


class Constant(NamedTuple):
    """What a column is compared with: where it lies on its axis, its text, and the types that it has in the query."""

    place: float
    text: str
    forms: Sequence[str]


@dataclass(frozen=True)
class Column(Named):
    """A column that the query uses, and the sets that its values are judged by.

    `axis` is that of the constants: number, time, text, iso (text that looks like a time), or open if there are none.
    `ordered`: by <, >, …. `unclear`: one of the constants cannot be found in a list of text.
    """

    axis: str
    constants: Sequence[Constant]
    ordered: bool
    unclear: bool
    tree: bool
    grouped: bool
    choices: Sequence[Choice]

    def moved(self, places: Sequence[float]) -> Column:
        """The same, compared with constants at other places; their order is the same."""
        at = {constant.place: place for constant, place in zip(self.constants, places, strict=True)}
        at |= {math.inf: math.inf, -math.inf: -math.inf}
        choices = [
            replace(choice, runs=[run._replace(low=at[run.low], high=at[run.high]) for run in choice.runs])
            for choice in self.choices
        ]
        return replace(self, choices=choices)


@dataclass(frozen=True)
class Node:
    """A column, and disjoint sets of its values that together are everything, each with what follows."""

    column: int
    branches: Sequence[tuple[int, Tree]]


Tree = Node | bool


@dataclass(frozen=True)
class Path:
    """One way through the columns of GROUP BY: {column: set}, and what is left to decide."""

    chosen: dict[int, int]
    rest: Tree


@dataclass(frozen=True)
class Question:
    """A query on the source. Columns go by their number; those of GROUP BY are decided first."""

    aggregate: str
    measured: int | None
    groups: Sequence[int]
    columns: Sequence[Column]
    paths: Sequence[Path]


@lru_cache(maxsize=256)
def read_question(asked: str) -> Question:
    """Read what planner/estimate/question.py writes. An analyst asks the same more than once."""
    found = json.loads(asked)
    return Question(
        aggregate=found["aggregate"],
        measured=found["measured"],
        groups=found["groups"],
        columns=[*map(read_column, found["columns"])],
        paths=[
            Path({int(column): choice for column, choice in chosen.items()}, read_tree(rest))
            for chosen, rest in found["paths"]
        ],
    )


def read_column(found: dict[str, Any]) -> Column:
    return Column(
        **{
            **found,
            "constants": [Constant(*each) for each in found["constants"]],
            "choices": [*map(read_choice, found["choices"])],
        }
    )


def read_choice(found: dict[str, Any]) -> Choice:
    return Choice(
        null=found["null"],
        whole=found["whole"],
        runs=[read_run(*ends) for ends in found["runs"]],
        among=found.get("among"),
        but=found.get("but"),
        between=[TextRun(*ends) for ends in found.get("between", ())],
    )


def read_run(
    low: float | None,
    low_step: int | None,
    low_closed: bool,
    high: float | None,
    high_step: int | None,
    high_closed: bool,
) -> Run:
    """A run; an end that is not given is infinity, and part of it."""
    return Run(
        -math.inf if low is None else low,
        -math.inf if low_step is None else low_step,
        low is None or low_closed,
        math.inf if high is None else high,
        math.inf if high_step is None else high_step,
        high is None or high_closed,
    )


def read_tree(found: Any) -> Tree:
    if isinstance(found, bool):
        return found
    column, branches = found
    return Node(column, [(choice, read_tree(then)) for choice, then in branches])
