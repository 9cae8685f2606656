"""_sqlanon_columns: whether a table has the columns that are wanted. Called at bind time, with all their names."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from difflib import get_close_matches

import pyarrow as pa

from sqlanon.arguments import fold
from sqlanon.errors import Guard, ReleaseMismatch, SqlanonError, WrongColumn

from .arrow.arguments import malformed_call

AT_ONCE = 2048
"""Names that DuckDB hands over in one call; a wider table is seen in several."""

_seen = threading.local()


def call(names: pa.ChunkedArray, wanted: pa.ChunkedArray, argument: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: the names of all columns in; which of them is the first that is wanted out."""
    with Guard("looking for columns"):
        here = texts("names", names.to_pylist())
        before = getattr(_seen, "names", [])
        _seen.names = [*before, *here] if len(here) == AT_ONCE else []
        (role,) = texts("argument", argument.to_pylist()[:1])
        first = find_column(before + here, texts("wanted", wanted[0].as_py()), role, whole=len(here) < AT_ONCE)
    return pa.array([name == first for name in here], pa.bool_())


def texts(argument: str, values: object) -> list[str]:
    """A list of texts, none of them NULL."""
    if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
        raise malformed_call(argument, "not texts")
    return values


def find_column(names: Sequence[str], wanted: Sequence[str], argument: str, *, whole: bool = True) -> str | None:
    """Return the first name that is wanted; raise SA101 or SA301 for one that is not there, if these are all."""
    known = {fold(name): name for name in names}
    for name in wanted:
        if whole and fold(name) not in known:
            raise absent(name, names, argument)
    return next((known[fold(name)] for name in wanted if fold(name) in known), None)


def absent(name: str, names: Sequence[str], argument: str) -> SqlanonError:
    """The error of a column that is not there, with the name that was perhaps meant."""
    close = get_close_matches(fold(name), {fold(each): each for each in names}, 1)
    meant = next((each for each in names if close and fold(each) == close[0]), None)
    kind = ReleaseMismatch if argument == "rel" else WrongColumn
    return kind(
        f"there is no column {name!r} in {argument}.",
        "Check the spelling." if meant is None else f"Did you mean {meant!r}?",
    )
