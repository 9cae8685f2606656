"""Published values of a column (cells), taken apart into what they stand for.

Cells come as text, or as lists of text where the release has those; the type says what the text means:

    VARCHAR             a value, * , [low, high] or {a, b, c}
    STRUCT(lo …, hi …)  {'lo': 1, 'hi': 2}, and NULL twice for a star
    VARCHAR[]           ['a', 'b'], and ['*'] for a star
    INTEGER[] …         [1, 2]
    anything else       a value
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sqlanon.errors import UnsupportedType
from sqlanon.refusals import unclear_value, unknown_label

from ..arrow.codec import integers
from ..kernels.cell_texts import LISTED, NO_NUMBER, RANGE, STAR, WHOLE, Texts, read_texts
from ..kernels.space import Floats, Wide
from .arrays import Flags, flags
from .question import Column

Ends = tuple[pa.StringArray, pa.StringArray]

TEXT = "VARCHAR"
SEPARATOR = ", "
LOW, HIGH = "{'lo': ", ", 'hi': "
RANGE_TYPE = re.compile(r"STRUCT\(\"?lo\"? .*, \"?hi\"? .*\)", re.DOTALL)
CATEGORY = re.compile(r"VARCHAR|BOOLEAN|UUID|ENUM\(.*|\"?NULL\"?|.*\]", re.DOTALL)


class Numbers(NamedTuple):
    """Both ends of each row, where all are plain numbers or NULL (0); whether both are whole."""

    low: Floats
    high: Floats
    whole: Flags


@dataclass(frozen=True)
class Told:
    """What cells stand for, a row per value or range: which cell, its text, whether it is a range.

    `spread` is the number of rows that the cell has. `ends` are those of a range, else the text twice.
    """

    owner: Wide
    spread: Wide
    label: pa.StringArray
    ranges: Flags
    read_ends: Callable[[pa.StringArray], Ends]
    numbers: Numbers | None = None

    @cached_property
    def ends(self) -> Ends:
        return self.read_ends(self.label)

    @cached_property
    def given(self) -> Flags:
        """Whether a row is a value, and not NULL."""
        return flags(self.label.is_valid())


class Cells(NamedTuple):
    """The distinct cells of a column: those that tell nothing (a flag per cell), and what the others tell."""

    star: Flags
    told: Told


def printed(cells: pa.Array) -> tuple[pa.Array, str]:
    """Cells as text or lists of text, and the name of the type that they had."""
    if not pa.types.is_struct(cells.type):
        return cells, TEXT
    type_name = cells.field("type")[0].as_py() if len(cells) else TEXT
    return cells.field("printed"), type_name


def distinct_cells(column: pa.Array) -> tuple[Wide, pa.Array]:
    """The number of each row's cell, and the cells, NULL among them."""
    if pa.types.is_list(column.type):
        return distinct_lists(column)
    encoded = column.cast(pa.string()).dictionary_encode(null_encoding="encode")
    return integers(encoded.indices), encoded.dictionary


def distinct_lists(column: pa.ListArray) -> tuple[Wide, pa.ListArray]:
    """The same for lists: they are told apart by the numbers of their items."""
    items = column.flatten().dictionary_encode(null_encoding="encode").indices.cast(pa.string())
    keys = pc.binary_join(pa.ListArray.from_arrays(offsets_of(column), items), ",")
    keys = pc.if_else(column.is_null(), pa.scalar(None, pa.string()), keys)
    encoded = keys.dictionary_encode(null_encoding="encode")
    numbers = integers(encoded.indices)
    _, first = np.unique(numbers, return_index=True)
    return numbers, column.take(pa.array(first))


def take_apart(cells: pa.Array, type_name: str, column: Column, paths: Sequence[Sequence[str]] | None) -> Cells:
    """Take distinct cells apart; with the paths of a taxonomy, labels become the leaves below them."""
    if pa.types.is_list(cells.type):
        star = flags(pc.equal(pc.binary_join(pc.list_slice(cells, 0, 2), SEPARATOR), "*"))
        alone = np.flatnonzero(~star)
        return Cells(star, list_items(alone, cells if alone.size == len(cells) else cells.take(pa.array(alone))))
    if type_name.endswith("]"):
        return Cells(np.zeros(len(cells), np.bool_), list_items(np.arange(len(cells)), printed_lists(cells)))
    typed = type_name.startswith(("STRUCT(", "MAP(", "UNION("))
    if typed and not RANGE_TYPE.fullmatch(type_name):
        raise UnsupportedType(column.name, type_name)
    texts = read_texts(*buffers(cells), typed)
    star = texts.form == STAR
    listed = (texts.form == LISTED) & (type_name == TEXT)
    alone = np.flatnonzero(~star & ~listed)
    labels = cells if alone.size == len(cells) else cells.take(pa.array(alone))
    if paths is not None:
        told = leaves_below(alone, labels, paths, column)
    else:
        ones = np.ones(alone.size, np.int64)
        told = Told(
            alone, ones, labels, texts.form[alone] == RANGE, struct_ends if typed else text_ends,
            plain_numbers(texts, alone, flags(labels.is_valid())),
        )  # fmt: skip
    if listed.any():
        if column.unclear:
            raise unclear_value(column)
        told = joined(told, listed_items(np.flatnonzero(listed), cells))
    return Cells(star, told)


def plain_numbers(texts: Texts, chosen: Wide, given: Flags) -> Numbers | None:
    """The numbers of some texts, or None if one of them is none, or hard to read."""
    low, high = texts.low_kind[chosen], texts.high_kind[chosen]
    if ((low == NO_NUMBER) | (high == NO_NUMBER))[given].any():
        return None
    return Numbers(texts.low[chosen], texts.high[chosen], (low == WHOLE) & (high == WHOLE))


def text_ends(cells: pa.StringArray) -> Ends:
    """Both ends of [low, high]; any other text twice."""
    ranges = pc.and_(pc.match_like(cells, "[_%, _%]"), pc.equal(pc.count_substring(cells, ","), 1)).fill_null(False)
    inner = pc.utf8_slice_codeunits(cells.filter(ranges), 1, -1)
    if not len(inner):
        return cells, cells
    ends = pc.split_pattern(inner, SEPARATOR)
    low, high = (pc.replace_with_mask(cells, ranges, pc.list_element(ends, end)) for end in (0, 1))
    return low, high


def struct_ends(cells: pa.StringArray) -> Ends:
    """The ends of {'lo': 1, 'hi': 2}."""
    ends = pc.split_pattern(pc.utf8_slice_codeunits(cells, len(LOW), -1), HIGH)
    low, high = (pc.utf8_trim(pc.list_element(ends, end), "'") for end in (0, 1))
    return low, high


def twice(labels: pa.StringArray) -> Ends:
    """The ends of what is no range."""
    return labels, labels


def list_items(owner: Wide, cells: pa.ListArray) -> Told:
    """The items of lists; NULL instead of a list is a value."""
    lengths = integers(cells.value_lengths().fill_null(1))
    labels = pc.list_flatten(pc.if_else(cells.is_valid(), cells, pa.scalar([None], cells.type)))
    return items(owner, lengths, labels)


def printed_lists(cells: pa.StringArray) -> pa.ListArray:
    """Lists of numbers, dates and the like from how DuckDB prints them."""
    lists = pc.split_pattern(pc.utf8_slice_codeunits(cells, 1, -1), SEPARATOR)
    lists = pc.if_else(pc.equal(cells, "[]"), pa.scalar([], lists.type), lists)
    labels = null_of(pc.utf8_trim(lists.flatten(), "'"))
    return pa.ListArray.from_arrays(offsets_of(lists), labels, mask=lists.is_null())


def listed_items(owner: Wide, cells: pa.StringArray) -> Told:
    """The items of {a, b, c}."""
    lists = pc.split_pattern(pc.utf8_slice_codeunits(cells.take(pa.array(owner)), 1, -1), SEPARATOR)
    return items(owner, integers(lists.value_lengths()), null_of(lists.flatten()))


def leaves_below(owner: Wide, labels: pa.StringArray, paths: Sequence[Sequence[str]], column: Column) -> Told:
    """Labels of a taxonomy as the leaves below them; NULL stays what it is."""
    below = leaves_of_labels(paths) | {None: [None]}
    try:
        found = [below[label] for label in labels.to_pylist()]
    except KeyError as error:
        raise unknown_label(column) from error
    lengths = np.fromiter(map(len, found), np.int64, len(found))
    return items(owner, lengths, pa.array([leaf for leaves in found for leaf in leaves], pa.string()))


def leaves_of_labels(paths: Sequence[Sequence[str]]) -> dict[str | None, Sequence[str | None]]:
    """Every label with the leaves below it; one that occurs on several levels stands for its lowest."""
    known: dict[str | None, Sequence[str | None]] = {}
    for level in range(len(paths[0]) if paths else 0):
        here: dict[str, dict[str, None]] = {}
        for path in paths:
            here.setdefault(path[level], {})[path[0]] = None
        known = {**{label: [*leaves] for label, leaves in here.items()}, **known}
    return known


def items(owner: Wide, lengths: Wide, labels: pa.StringArray) -> Told:
    """The values that lists hold, one after the other."""
    return Told(np.repeat(owner, lengths), np.repeat(lengths, lengths), labels, np.zeros(len(labels), np.bool_), twice)


def joined(alone: Told, listed: Told) -> Told:
    """Values and ranges that stand alone, and those of lists, in which there is no range."""
    return Told(
        np.concatenate([alone.owner, listed.owner]),
        np.concatenate([alone.spread, listed.spread]),
        pa.concat_arrays([alone.label, listed.label]),
        np.concatenate([alone.ranges, listed.ranges]),
        alone.read_ends,
    )


def is_measured(type_name: str) -> bool:
    """Whether a type is one of numbers, dates or times."""
    return not CATEGORY.fullmatch(type_name)


def buffers(texts: pa.StringArray) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The bytes of texts, one after the other, and where each begins; the last number is where they end."""
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets, np.int32) if offsets else np.zeros(1, np.int32)
    return np.frombuffer(data or b"", np.uint8), starts[texts.offset : texts.offset + len(texts) + 1]


def offsets_of(lists: pa.ListArray) -> NDArray[np.int32]:
    """Where each list begins among the items of all."""
    return np.concatenate([[0], np.cumsum(integers(lists.value_lengths().fill_null(0)))]).astype(np.int32)


def null_of(texts: pa.StringArray) -> pa.StringArray:
    """The text NULL is no value."""
    return pc.if_else(pc.equal(texts, "NULL"), pa.scalar(None, pa.string()), texts)
