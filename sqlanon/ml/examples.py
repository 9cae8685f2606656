"""Source and release as numbers, for programs that learn from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from sqlanon.calling import run_as_arrays
from sqlanon.errors import InvalidParameter, ReleaseMismatch, TooFewRows
from sqlanon.evaluate.request import Evaluation, read_evaluation

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Table = dict[str, Any]
ReadFeatures = Callable[[Table, str], Floats]
"""The features of every row of a table; the highest code of a cell is in the columns with this prefix."""


@dataclass(frozen=True)
class Examples:
    """Features, classes and weights to learn from; `row` numbers the rows they come from."""

    features: Floats
    classes: Ints
    weights: Floats
    row: Ints

    def only(self, some: NDArray[np.bool_] | Ints) -> Examples:
        """Some of them, or all in another order."""
        return Examples(self.features[some], self.classes[some], self.weights[some], self.row[some])


def read_learner_arguments(
    src: str, rel: str, qi: Sequence[str], target: str, taxonomy: Mapping[str, str] | None = None
) -> Evaluation:
    """Check the arguments that all learners take."""
    request = read_evaluation("info_loss", {"src": src, "rel": rel, "qi": list(qi), "sa": target, "taxonomy": taxonomy})
    if request.sa is None:
        raise InvalidParameter("target must be a column name, not NULL.")
    return request


def encode_source(con: duckdb.DuckDBPyConnection, request: Evaluation, key: str | None = None) -> Table:
    """The rows of the source, in codes."""
    # here, because it brings sqlglot: importing this stays light
    from sqlanon.evaluate.features import source_codes

    return fetch(con, source_codes(request, key))


def encode_release(
    con: duckdb.DuckDBPyConnection, request: Evaluation, key: str | None = None, draw: np.random.Generator | None = None
) -> Table:
    """The rows of the release, in codes: all that a cell covers, or one of them by a draw."""
    from sqlanon.evaluate.features import release_codes

    release = fetch(con, release_codes(request, key))
    if not release["target"].size:
        raise ReleaseMismatch("rel has no rows to learn from.")
    if draw is not None:
        draw_values(release, len(request.qi), draw)
    return release


def source_examples(source: Table, features: ReadFeatures) -> Examples:
    """One example for each row of the source."""
    rows = np.arange(source["target"].size, dtype=np.int64)
    classes = class_codes(source, number_classes(source))
    return Examples(features(source, "low"), classes, np.ones(rows.size), rows)


def release_examples(
    source: Table,
    release: Table,
    features: ReadFeatures,
    draw: np.random.Generator | None,
    row_of: Ints | None = None,
) -> Examples:
    """The examples of a release, with the source's numbers for classes, and its rows where they are known."""
    classes = class_codes(release, number_classes(source))
    row = release["row"] if row_of is None else row_of
    return join_parts(Examples(features(release, "high"), classes, release["weight"], row), draw)


def read_examples(
    con: duckdb.DuckDBPyConnection,
    request: Evaluation,
    key: str | None,
    folds: int,
    draw: np.random.Generator | None = None,
) -> tuple[Examples, Examples]:
    """Source and release with the same features, the same numbers for classes, and the same numbers for rows."""
    source = encode_source(con, request, key)
    rows = source["target"].size
    if rows < folds:
        raise TooFewRows(rows, "folds", folds)
    release = encode_release(con, request, key, draw)
    columns = [read_column(source, i) for i in range(1, len(request.qi) + 1)]

    def features(table: Table, end: str) -> Floats:
        return column_features(columns, table, end)

    row_of = None if key is None else match_rows(source["key"], release["key"])
    return source_examples(source, features), release_examples(source, release, features, draw, row_of)


def draw_values(release: Table, columns: int, draw: np.random.Generator) -> None:
    """Put one of the values that a cell covers in place of each, by a draw."""
    for i in range(1, columns + 1):
        release[f"low_{i}"] = release[f"high_{i}"] = draw.integers(release[f"low_{i}"], release[f"high_{i}"] + 1)


def join_parts(parts: Examples, draw: np.random.Generator | None) -> Examples:
    """One example for each row and class, where a cell covers several intervals: one of them by a draw, or the mean."""
    order = np.lexsort((parts.classes, parts.row))
    parts = parts.only(order)
    new = (np.diff(parts.row, prepend=-1) != 0) | (np.diff(parts.classes, prepend=-1) != 0)
    if new.all():
        return parts
    first = np.flatnonzero(new)
    weights = np.add.reduceat(parts.weights, first)
    if draw is None:
        features = np.add.reduceat(parts.features * parts.weights[:, None], first) / weights[:, None]
    else:
        until = np.cumsum(parts.weights)
        before = until[first] - parts.weights[first]
        last = np.append(first[1:], parts.row.size) - 1
        chosen = np.searchsorted(until, before + draw.random(first.size) * weights, side="right")
        features = parts.features[np.clip(chosen, first, last)]
    return Examples(features, parts.classes[first], weights, parts.row[first])


def fetch(con: duckdb.DuckDBPyConnection, statement: str) -> Table:
    """The columns of an answer: numbers as they are, text with None for NULL."""
    return {
        name: nulls_as_none(column) if column.dtype == object else np.ma.filled(column, np.nan)
        for name, column in run_as_arrays(con, statement).items()
    }


def nulls_as_none(column: NDArray[Any]) -> NDArray[Any]:
    """Text with None for NULL."""
    values = np.ma.getdata(column).copy()
    values[np.ma.getmaskarray(column)] = None
    return values


def number_classes(source: Table) -> dict[str | None, int]:
    """A number for each value of the target, NULL last."""
    return {value: code for code, value in enumerate(sorted(set(source["target"]), key=lambda v: (v is None, v)))}


def class_codes(table: Table, classes: Mapping[str | None, int]) -> Ints:
    """Number the values of the target."""
    try:
        return np.array([classes[value] for value in table["target"]], np.int64)
    except KeyError:
        raise ReleaseMismatch(
            "the target of rel has a value that src does not have.", "Is it the source of this release?"
        ) from None


def match_rows(source_keys: NDArray[Any], release_keys: NDArray[Any]) -> Ints:
    """The row of the source that each row of the release is made of."""
    row_of = {key: row for row, key in enumerate(source_keys)}
    if None in row_of or len(row_of) < source_keys.size:
        raise InvalidParameter("key does not tell the rows of src apart: a value is NULL or occurs twice.")
    try:
        return np.array([row_of[key] for key in release_keys], np.int64)
    except KeyError:
        raise ReleaseMismatch("key has a value in rel that it does not have in src.") from None


@dataclass(frozen=True)
class Column:
    """A quasi-identifier: `size` codes, of which `missing` is NULL (-1: none); numbers lie at `position`, 0 to 1."""

    size: int
    missing: int
    position: Floats | None

    def features(self, low: Ints, high: Ints) -> Floats:
        """Features of cells that cover the codes low … high. A number: the middle, and the share of NULL.

        A category: the share of each code, the same for all that are covered.
        """
        share = 1.0 / (high - low + 1)
        if self.position is None:
            spread = np.zeros((low.size, self.size + 1))
            each, known = np.arange(low.size), low >= 0
            spread[each[known], low[known]] = share[known]
            spread[each[known], high[known] + 1] -= share[known]
            return spread.cumsum(axis=1)[:, :-1]
        with_missing = (low <= self.missing) & (self.missing <= high)
        last = np.where(with_missing & (low < high), high - 1, high)  # NULL has the last code
        return np.column_stack([(self.position[low] + self.position[last]) / 2, np.where(with_missing, share, 0.0)])


def column_features(columns: Sequence[Column], table: Table, end: str) -> Floats:
    """The features of every row, column after column."""
    return np.hstack([column.features(table[f"low_{i}"], table[f"{end}_{i}"]) for i, column in enumerate(columns, 1)])


def read_column(source: Table, i: int) -> Column:
    """Learn from the rows of the source where the codes of a column lie."""
    low, missing = source[f"low_{i}"], source[f"missing_{i}"].astype(np.bool_)
    size, gap = int(source[f"size_{i}"][0]), int(low[missing][0]) if missing.any() else -1
    if source[f"kind_{i}"][0] != "range":
        return Column(size, gap, None)
    position = np.full(size, np.nan)
    position[low] = source[f"measure_{i}"]
    finite = np.isfinite(position)
    lowest, highest = (position[finite].min() / 2, position[finite].max() / 2) if finite.any() else (0.0, 0.0)
    scaled = (position / 2 - lowest) / (highest - lowest) if highest > lowest else np.where(finite, 0.0, position)
    return Column(size, gap, np.nan_to_num(scaled, nan=0.5, posinf=1.0, neginf=0.0))
