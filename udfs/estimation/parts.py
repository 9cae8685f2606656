"""Each cell as weighted values and ranges. A star is spread over what the column shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sqlanon.refusals import endless, no_steps, no_text, no_value_of, too_fine, too_large

from ..kernels.space import Floats, Wide
from .arrays import Flags, flags
from .axes import PLACES, any_cut, any_too_fine, any_zoned, are_clock, are_whole
from .cells import Cells, Told, is_measured
from .question import Column

LARGEST = 2.0**53
ENDLESS = 1e300
KINDS = {"number": "number", "time": "date"}


@dataclass(frozen=True)
class Parts:
    """What the cells of a column are made of, an entry per value or range; the weights of a cell add up to 1.

    A value of text has a label; a number or date low = high, and a label if it is to be grouped by; a range has none;
    NULL is `null`. Whole numbers and days are counted (stepped = 1), other numbers and times measured by length (0). A
    weight that cannot be known is NaN: that of a star where nothing else is shown. `shown`: the column shows this.
    """

    axis: str
    stepped: int
    star: Flags
    """Per cell."""
    owner: Wide
    label: pa.StringArray
    low: Floats
    high: Floats
    null: Flags
    weight: Floats
    shown: Flags
    zoned: bool = False
    """Whether it has moments with an offset from UTC."""

    def moved(self, place: Callable[[Floats], Floats]) -> Parts:
        """The same values and ranges at other places."""
        return replace(self, low=place(self.low), high=place(self.high))

    @property
    def of_star(self) -> Flags:
        """Per part, whether its cell tells nothing."""
        return self.star[self.owner]


class Spots(NamedTuple):
    """Told values and ranges on their axis."""

    label: pa.StringArray
    low: Floats
    high: Floats
    whole: Flags


class Domain(NamedTuple):
    """What a star is spread over, NULL apart: labels, or one range; with their weights, and that of NULL."""

    label: pa.StringArray
    low: Floats
    high: Floats
    weight: Floats
    null_weight: float


def read_parts(column: Column, cells: Cells, type_name: str, leaves: Sequence[str] | None) -> Parts:
    """Place what the cells tell, and spread the stars."""
    told = cells.told
    ranged = are_ranged(column, told, type_name)
    axis = axis_of(column, told, ranged)
    if axis == "text":
        refuse_ranges(column, told, ranged, type_name)
        spots = as_text(column, told, ranged)
    elif axis == "number" and told.numbers is not None:
        spots = Spots(points(column, told), *told.numbers)
    else:
        spots = measured(column, axis, told)
    stepped = int(axis != "text" and bool(told.given.any() and spots.whole[told.given].all()))
    parts = Parts(
        axis=axis,
        stepped=stepped,
        star=cells.star,
        owner=told.owner,
        label=spots.label,
        low=spots.low,
        high=spots.high,
        null=~told.given,
        weight=1 / told.spread,
        shown=np.ones(told.owner.size, np.bool_),
        zoned=axis == "time" and any_zoned(told.ends[0]),
    )
    return with_stars(parts, domain_of(column, parts, leaves)) if cells.star.any() else parts


def are_ranged(column: Column, told: Told, type_name: str) -> Flags:
    """Whether rows are of numbers, dates, times or intervals: by their type, or as the text [low, high]."""
    if is_measured(type_name):
        return np.ones(told.owner.size, np.bool_)
    if column.axis in PLACES or told.numbers is not None or not told.ranges.any():
        return told.ranges
    rows = pa.array(np.flatnonzero(told.ranges))
    ends = [end.take(rows) for end in told.ends]
    ranged = told.ranges.copy()
    known = [places(ends[0]).known & places(ends[1]).known for places in PLACES.values()]
    ranged[told.ranges] = reduce(np.logical_or, known, are_clock(ends[0]) & are_clock(ends[1]))
    return ranged


def axis_of(column: Column, told: Told, ranged: Flags) -> str:
    """The axis of a column that constants do not tell.

    Ranges of numbers or dates are no labels; text that looks like a date is one if everything does.
    """
    if column.axis not in ("open", "iso"):
        return column.axis
    if column.axis == "open" and (column.tree or not ranged.any()):
        return "text"
    if column.axis == "open" and told.numbers is not None:
        return "number"
    low, high = (end.filter(told.label.is_valid()) for end in told.ends)
    for axis, places in PLACES.items():
        if column.axis == "iso" and axis == "number":
            continue
        if len(low) and places(low).known.all() and places(high).known.all():
            return axis
    return "text"


def refuse_ranges(column: Column, told: Told, ranged: Flags, type_name: str) -> None:
    """Numbers and times are not compared with text, nor are ranges of them gone through as text."""
    if column.tree:
        return
    wrong = ranged & told.given
    listed = is_measured(type_name.removesuffix("[]")) and told.given.any()
    if column.axis != "open" and (listed or wrong.any()):
        raise no_text(column)
    if column.grouped and wrong.any() and (wrong & flags(pc.not_equal(*told.ends))).any():
        raise no_steps(column)


def as_text(column: Column, told: Told, ranged: Flags) -> Spots:
    """Values as they are."""
    nowhere = np.zeros(told.owner.size)
    label = told.label
    if column.grouped and ranged.any():  # a time of day: {'lo': 10:00, 'hi': 10:00}
        point = points(column, told)
        label = pc.if_else(pc.and_(pa.array(ranged), point.is_valid()), point, label)
    return Spots(label, nowhere, nowhere, np.zeros(told.owner.size, np.bool_))


def points(column: Column, told: Told) -> pa.StringArray:
    """The text of what is no range, if anybody is to see it."""
    if not column.grouped:
        return pa.nulls(told.owner.size, pa.string())
    if told.numbers is not None and not (told.ranges & (told.numbers.low == told.numbers.high)).any():
        return pc.if_else(pa.array(told.ranges), pa.scalar(None, pa.string()), told.label)
    low, high = told.ends
    return pc.if_else(pc.equal(low, high), low, pa.scalar(None, pa.string()))


def measured(column: Column, axis: str, told: Told) -> Spots:
    """Numbers and times, as their texts say; what cannot be told apart, and ranges without an end, are refused."""
    low, high = (PLACES[axis](end) for end in told.ends)
    if not (low.known & high.known)[told.given].all():
        raise no_value_of(column, KINDS[axis])
    if column.constants and any(any_too_fine(axis, end) for end in told.ends):
        raise too_fine(column)
    if axis == "time" and any(map(any_cut, told.ends)):
        raise too_fine(column)
    wide = low.at < high.at
    if (wide & ~(high.at - low.at <= ENDLESS)).any():
        raise endless(column)
    whole = are_whole(axis, told.ends[0]) & are_whole(axis, told.ends[1])
    farthest = np.maximum(-low.at, high.at)
    inexact = whole & (farthest >= LARGEST) & np.isfinite(farthest)
    if (inexact if column.constants else inexact & wide).any():  # single values alone are grouped by their text
        raise too_large(column)
    return Spots(points(column, told), low.at, high.at, whole)


def domain_of(column: Column, parts: Parts, leaves: Sequence[str] | None) -> Domain:
    """The leaves of a taxonomy, or what the column shows: labels, or everything from the lowest to the highest.

    NULL counts if it is shown (gap); infinities are possible, but nothing is spread over what has no end.
    """
    if leaves is not None or parts.axis == "text":
        return domain_of_labels(column, parts, leaves)
    domain = domain_of_range(parts)
    if not column.grouped:
        return domain
    if parts.stepped and (np.maximum(-domain.low, domain.high) >= LARGEST).any():
        raise too_large(column)
    without_end = pc.unique(parts.label.filter(pa.array(np.isinf(parts.low)))).drop_null()
    at = PLACES[parts.axis](without_end).at
    return Domain(
        pa.concat_arrays([domain.label, without_end]),
        np.concatenate([domain.low, at]),
        np.concatenate([domain.high, at]),
        np.concatenate([domain.weight, np.full(at.size, 0.0 if domain.low.size else np.nan)]),
        domain.null_weight,
    )


def domain_of_labels(column: Column, parts: Parts, leaves: Sequence[str] | None) -> Domain:
    """Leaves, or labels that are shown."""
    gap = bool(parts.null.any())
    label = parts.label.unique().drop_null() if leaves is None else pa.array(dict.fromkeys(leaves), pa.string())
    at = np.zeros(len(label))
    if parts.axis != "text":
        at, known = PLACES[parts.axis](label)
        if not known.all():
            raise no_value_of(column, KINDS[parts.axis])
    if not len(label):
        return Domain(label, at, at, at, 1.0 if gap else np.nan)
    return Domain(label, at, at, np.full(at.size, 1 / (at.size + gap)), gap / (at.size + gap))


def domain_of_range(parts: Parts) -> Domain:
    """Everything between the finite ends that are shown."""
    gap = bool(parts.null.any())
    finite = ~parts.null & np.isfinite(parts.low) & np.isfinite(parts.high)
    low, high = parts.low[finite], parts.high[finite]
    if not low.size:
        return Domain(pa.nulls(0, pa.string()), low, high, low, 1.0 if gap and parts.null.all() else np.nan)
    low, high = low.min(keepdims=True), high.max(keepdims=True)
    steps = high - low + 1
    if steps[0] > ENDLESS:
        return Domain(pa.nulls(1, pa.string()), low, high, np.full(1, np.nan), np.nan)
    weight = steps / (steps + gap) if parts.stepped else np.ones(1)
    return Domain(pa.nulls(1, pa.string()), low, high, weight, float(gap / (steps[0] + gap)) if parts.stepped else 0.0)


def with_stars(parts: Parts, domain: Domain) -> Parts:
    """Each star as all of the domain, and NULL, which it may be in any case."""
    stars = np.flatnonzero(parts.star)
    size = domain.low.size

    def add(told: NDArray[Any], values: NDArray[Any], null: Any) -> NDArray[Any]:
        return np.concatenate([told, np.tile(values, stars.size), np.full(stars.size, null, told.dtype)])

    return replace(
        parts,
        owner=np.concatenate([parts.owner, np.repeat(stars, size), stars]),
        label=pa.concat_arrays([parts.label, *[domain.label] * stars.size, pa.nulls(stars.size, pa.string())]),
        low=add(parts.low, domain.low, 0),
        high=add(parts.high, domain.high, 0),
        null=add(parts.null, np.zeros(size, np.bool_), True),
        weight=add(parts.weight, domain.weight, domain.null_weight),
        shown=add(parts.shown, np.ones(size, np.bool_), parts.null.any()),
    )
