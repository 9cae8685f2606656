"""Classes summed up, group by group: what to expect, and between which bounds the answer on the source lies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sqlanon.refusals import MOST_VALUES, too_many_groups

from ..kernels.space import Floats, Wide
from .arrays import Flags, distinct, totals
from .odds import Odds
from .question import Path, Question
from .values import Values

MOST_COMBINATIONS = 2**62
"""Numbers below this can be told apart in 64 bits."""

Bounds = tuple[Floats, Floats, Floats]
"""Estimate, lower and upper, by group. What is not finite is not known."""


@dataclass(frozen=True)
class Stakes:
    """Rows that may be in a group: which, surely or not, how many, how many to expect, and their expected sum.

    For count there is no sum. `adds` has, by line, what they add for sum (at least and at most if they count, and if
    they may also count for nothing), or for avg the least and the greatest value of one of them.
    """

    group: Wide
    sure: Flags
    rows: Floats
    expected: Floats
    moment: NDArray[np.float64]
    adds: NDArray[np.float64]

    def __getitem__(self, chosen: Wide) -> Stakes:
        return Stakes(*(each[..., chosen] for each in vars(self).values()))


def answers(question: Question, odds: Odds, rows: Floats, values: Mapping[int, Values]) -> pa.StructArray:
    """The groups in their order: keys, estimate, lower, upper. Without GROUP BY there is one, possible or not."""
    laid_out = [laid(question, path, odds, rows, values) for path in question.paths]
    stakes = Stakes(
        *(np.concatenate(each, axis=-1) for each in zip(*(vars(one).values() for one in laid_out), strict=True))
    )
    sizes = [max(1, len(values[column].label)) for column in question.groups]
    groups, which = np.zeros(1, np.int64), stakes.group
    if sizes:
        groups, which = distinct(stakes.group, math.prod(sizes))
    summed = {"count": counted, "sum": added, "avg": averaged}[question.aggregate](stakes, which, groups.size)
    numbers = np.unravel_index(groups, sizes) if sizes else ()
    labels = [values[column].label.take(pa.array(at)) for column, at in zip(question.groups, numbers, strict=True)]
    known = [pa.array(each, mask=~np.isfinite(each)) for each in summed]
    return pa.StructArray.from_arrays([keys(labels, groups.size), *known], ["keys", "estimate", "lower", "upper"])


def keys(labels: Sequence[pa.StringArray], size: int) -> pa.ListArray:
    """One list per group: its value of each column."""
    if not labels:
        return pa.array([[]] * size, pa.list_(pa.string()))
    column_by_column = pa.concat_arrays(labels)
    group_by_group = np.arange(size * len(labels)).reshape(len(labels), size).T.ravel()
    offsets = np.arange(size + 1, dtype=np.int32) * len(labels)
    return pa.ListArray.from_arrays(offsets, column_by_column.take(pa.array(group_by_group, pa.int64())))


def laid(question: Question, path: Path, odds: Odds, rows: Floats, values: Mapping[int, Values]) -> Stakes:
    """The stakes of the classes that may take this path, spread over the values of GROUP BY that take it."""
    may = np.flatnonzero(odds.possible(path.rest, wanted=True))
    stakes = Stakes(
        group=np.zeros(may.size, np.int64),
        sure=~odds.possible(path.rest, wanted=False)[may],
        rows=rows[may],
        expected=rows[may] * odds.probability(path.rest)[may],
        moment=expected_sum(question, path, odds, rows)[:, may],
        adds=what_is_added(question, path, odds, rows)[:, may],
    )
    cells = [odds.columns[column].cell_of[may] for column in question.groups]
    for column in question.groups:
        stakes, cells = merged(stakes, cells, apart=question.aggregate == "avg")
        stakes, source = spread(stakes, cells[0], values[column], path.chosen.get(column))
        cells = [cell[source] for cell in cells[1:]]
    return stakes


def expected_sum(question: Question, path: Path, odds: Odds, rows: Floats) -> NDArray[np.float64]:
    """`moment` of each class."""
    return np.empty((0, rows.size)) if question.measured is None else np.array([rows * odds.moment(path.rest)])


def what_is_added(question: Question, path: Path, odds: Odds, rows: Floats) -> NDArray[np.float64]:
    """`adds` of each class."""
    if question.measured is None:
        return np.empty((0, rows.size))
    least, most = odds.reach(path.rest)
    if question.aggregate == "avg":
        return np.array([least, most])
    return np.array([rows * least, rows * most, rows * np.minimum(0, least), rows * np.maximum(0, most)])


def merged(stakes: Stakes, cells: list[Wide], apart: bool) -> tuple[Stakes, list[Wide]]:
    """Those of the same group so far, and with the same cells, as one; `apart`: if what they add is the same, too."""
    different = [stakes.group, *cells, stakes.sure.astype(np.int64)]
    if apart:
        different += [np.unique(line, return_inverse=True)[1] for line in stakes.adds]
    together, size = numbered(different)
    one_of = np.empty(size, np.int64)
    one_of[together] = np.arange(together.size)

    def total(lines: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([totals(together, line, size) for line in lines]).reshape(len(lines), size)

    rows, expected = total(np.array([stakes.rows, stakes.expected]))
    return Stakes(
        stakes.group[one_of],
        stakes.sure[one_of],
        rows,
        expected,
        total(stakes.moment),
        stakes.adds[:, one_of] if apart else total(stakes.adds),
    ), [cell[one_of] for cell in cells]


def numbered(columns: Sequence[Wide]) -> tuple[Wide, int]:
    """The number of each row's combination of numbers, and how many combinations there are."""
    together, bound = np.zeros(columns[0].size, np.int64), 1
    for numbers in columns:
        width = int(numbers.max(initial=0)) + 1
        if bound > MOST_COMBINATIONS // width:
            values, together = distinct(together, bound)
            bound = values.size
        together, bound = together * width + numbers, bound * width
    values, together = distinct(together, bound)
    return together, values.size


def spread(stakes: Stakes, cell: Wide, listed: Values, chosen: int | None) -> tuple[Stakes, Wide]:
    """Stakes over the values of their cells, of which those in a set are chosen; and where each came from."""
    lengths = np.diff(listed.first)[cell]
    if lengths.sum() > MOST_VALUES:
        raise too_many_groups()
    source = np.repeat(np.arange(cell.size), lengths)
    entry = np.arange(source.size) + np.repeat(listed.first[cell] - np.cumsum(lengths) + lengths, lengths)
    if chosen is not None:
        taken = listed.chosen[chosen][listed.value[entry]]
        source, entry = source[taken], entry[taken]
    each, weight = stakes[source], listed.weight[entry]
    return Stakes(
        each.group * max(1, len(listed.label)) + listed.value[entry],
        each.sure & listed.single[cell[source]],
        each.rows,
        each.expected * weight,
        each.moment * weight,
        each.adds,
    ), source


def counted(stakes: Stakes, which: Wide, groups: int) -> Bounds:
    """Expected rows, certain rows, possible rows."""
    return (
        totals(which, stakes.expected, groups),
        totals(which, stakes.rows * stakes.sure, groups),
        totals(which, stakes.rows, groups),
    )


def added(stakes: Stakes, which: Wide, groups: int) -> Bounds:
    """The sum; that of no row is not known."""
    least, most, least_or_none, most_or_none = stakes.adds
    summed = (
        stakes.moment[0],
        np.where(stakes.sure, least, least_or_none),
        np.where(stakes.sure, most, most_or_none),
    )
    empty = np.bincount(which, minlength=groups) == 0
    estimate, lower, upper = (np.where(empty, np.nan, totals(which, each, groups)) for each in summed)
    return estimate, lower, upper


def averaged(stakes: Stakes, which: Wide, groups: int) -> Bounds:
    """The ratio of two estimates, and the least and the greatest mean that rows can have."""
    least, most = stakes.adds
    expected = totals(which, stakes.expected, groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = totals(which, stakes.moment[0], groups) / expected
    return (
        estimate,
        least_means(least, stakes.rows, stakes.sure, which, groups),
        -least_means(-most, stakes.rows, stakes.sure, which, groups),
    )


def least_means(value: Floats, rows: Floats, sure: Flags, which: Wide, groups: int) -> Floats:
    """The least mean of each group: of its sure rows, and of the others those that pull it down, the lowest first."""
    endless = np.bincount(which[np.isinf(value)], minlength=groups) > 0
    value = np.where(np.isinf(value), 0, value)
    number = totals(which, rows * sure, groups)
    total = totals(which, rows * sure * value, groups)
    others = np.flatnonzero(~sure)
    others = others[np.lexsort((value[others], which[others]))]
    group = which[others]
    more = running(rows[others], group)
    pulled = running(rows[others] * value[others], group)
    with np.errstate(invalid="ignore"):
        means = total / number
    np.fmin.at(means, group, (total[group] + pulled) / (number[group] + more))
    means[endless] = -np.inf
    return means


def running(numbers: Floats, group: Wide) -> Floats:
    """The sum up to each number, within its group; those of a group stand together."""
    total = np.cumsum(numbers)
    before = np.concatenate([[0.0], total])[np.searchsorted(group, group)]
    found: Floats = total - before
    return found
