"""The values of a column of GROUP BY: each cell spread over them, ranges step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.refusals import MOST_STEPS, MOST_VALUES, no_steps

from ..arrow.codec import integers
from ..kernels.space import Floats, Wide
from .arrays import Flags, distinct, flags, totals
from .axes import day_text
from .parts import Parts
from .question import Column
from .shares import part_meets


@dataclass(frozen=True)
class Values:
    """The values of a column in their order, NULL last, and those of each cell.

    Cell c has the entries first[c] … first[c + 1] - 1 of `value` (a number) and `weight`. `single`: the cell is certain
    to have its one value. `chosen` has, per set that the query asks for, whether each value lies in it.
    """

    label: pa.StringArray
    first: Wide
    value: Wide
    weight: Floats
    single: Flags
    chosen: list[Flags]


def read_values(column: Column, parts: Parts) -> Values:
    """Spread cells over values."""
    label, place, owner, value, weight = distinct_values(column, parts)
    order = order_of(label, place)
    rank = np.argsort(order)
    size = max(1, len(label))
    entries, which = distinct(owner * size + rank[value], parts.star.size * size)
    first = np.searchsorted(entries, np.arange(parts.star.size + 1) * size)
    ordered, at = label.take(pa.array(order)), place[order]
    points = replace(parts, owner=np.arange(len(label)), label=ordered, low=at, high=at, null=flags(ordered.is_null()))
    return Values(
        label=ordered,
        first=first,
        value=entries % size,
        weight=totals(which, weight, entries.size),
        single=(np.diff(first) == 1) & ~parts.star,
        chosen=[part_meets(points, choice) for choice in column.choices],
    )


def distinct_values(column: Column, parts: Parts) -> tuple[pa.StringArray, Floats, Wide, Wide, Floats]:
    """The distinct values (label and place), and entries: cell, number of its value, weight."""
    named = flags(parts.label.is_valid())
    points = np.flatnonzero(parts.shown & (named | parts.null))
    encoded = parts.label.take(pa.array(points)).dictionary_encode(null_encoding="encode")
    label, value = encoded.dictionary, integers(encoded.indices)
    place = np.zeros(len(label))
    place[value] = parts.low[points]
    ranges = np.flatnonzero(~named & ~parts.null)
    if not ranges.size:
        return label, place, parts.owner[points], value, parts.weight[points]
    low, high = parts.low[ranges], parts.high[ranges]
    known = ~parts.null & np.isfinite(parts.low)
    if not parts.stepped or parts.high[known].max() - parts.low[known].min() >= MOST_STEPS:
        raise no_steps(column)
    lengths = (high - low + 1).astype(np.int64)
    if lengths.sum() > MOST_VALUES:
        raise no_steps(column)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    base = low.min()
    offsets, step = distinct(np.repeat((low - base).astype(np.int64), lengths) + within, int(high.max() - base) + 1)
    steps = base + offsets
    texts = map(day_text if parts.axis == "time" else str, steps.astype(np.int64).tolist())
    both = pa.concat_arrays([label, pa.array(texts, pa.string())])
    merged = both.dictionary_encode(null_encoding="encode")
    number = integers(merged.indices)
    places = np.zeros(len(merged.dictionary))
    places[number] = np.concatenate([place, steps])
    return (
        merged.dictionary,
        places,
        np.concatenate([parts.owner[points], np.repeat(parts.owner[ranges], lengths)]),
        np.concatenate([number[value], number[len(label) + step]]),
        np.concatenate([parts.weight[points], np.repeat(parts.weight[ranges] / lengths, lengths)]),
    )


def order_of(label: pa.StringArray, place: Floats) -> Wide:
    """Values by their place, then by their text, NULL last."""
    by_text = np.argsort(integers(pc.sort_indices(label)))
    order: Wide = np.lexsort((by_text, place, flags(label.is_null())))
    return order
