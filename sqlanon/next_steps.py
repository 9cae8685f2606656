"""Next steps for a table that is not eligible, as values: SQL, the command line and policies say it in their words.

>>> advice = (try_diverse(2), try_suppressing("0.04"))
>>> in_words(advice, in_sql)
"Try ldiverse(…, 2). Or leave rows out: algo := 'incognito', options := {'suppress': 0.04}, or more, may do."
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

MOST_SUPPRESSED = 20
"""The percentage of rows up to which leaving them out is recommended."""

GENERALIZED = "whoever knows which value is frequent knows what most labels stand for."


@dataclass(frozen=True)
class NextStep:
    """A call that may do: its function, if it is another one, and its arguments."""

    function: str
    arguments: Mapping[str, object]


@dataclass(frozen=True)
class Advice:
    """A sentence, in which {} stands for a call, if there is one."""

    sentence: str
    step: NextStep | None = None


NO_DIVERSE_RELEASE = Advice("No l-diverse release of this table exists.")
ONLY_VALUE = Advice("No release can hide the only value that there is.")
NO_ROWS = Advice("Nothing can be published from it.")


def try_diverse(l: object) -> Advice:
    """An l that the table allows."""
    return Advice("Try {}.", NextStep("ldiverse", {"l": l}))


def try_generalizing(l: object, also: str = "Try") -> Advice:
    """Where rows, not people, are counted, such a release always exists."""
    sentence = f"{also} {{}}, which generalizes sensitive values, too; {GENERALIZED}"
    return Advice(sentence, NextStep("taudiverse", {"tau": 0.5, "l": l}))


def try_suppressing(share: object) -> Advice:
    """Without some of its rows, at least this share, the table might be eligible."""
    step = NextStep("", {"algo": "incognito", "options": {"suppress": share}})
    return Advice("Or leave rows out: {}, or more, may do.", step)


def try_bounds(bounds: Mapping[str, float]) -> Advice:
    """The best values that the table allows."""
    return Advice("Try {}.", NextStep("", {name: number(value) for name, value in bounds.items()}))


def suppression_percent(top: int, rows: int, l: int) -> int:
    """The percentage of the rows to leave out, all with the most frequent value, until it takes 1/l of the rest."""
    return -(-100 * (top * l - rows) // ((l - 1) * rows))


def in_words(advice: Iterable[Advice], words: Callable[[NextStep], str]) -> str:
    """Sentences with their calls in somebody's words."""
    return " ".join(each.sentence.format(words(each.step)) if each.step else each.sentence for each in advice)


def in_sql(step: NextStep) -> str:
    """A call as SQL writes it: the arguments of another function, or those to add."""
    if step.function:
        return f"{step.function}(…, {', '.join(map(str, step.arguments.values()))})"
    return ", ".join(f"{name} := {sql_literal(value)}" for name, value in step.arguments.items())


def number(value: float) -> float:
    """A number that is written as whole where it is."""
    return int(value) if value == int(value) else value


def sql_literal(value: object) -> str:
    """A name, a number, or the options of an algorithm."""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        options = (f"'{name}': {each}" for name, each in value.items())
        return f"{{{', '.join(options)}}}"
    return f"'{value}'"
