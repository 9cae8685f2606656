"""Small random tables, each twice: as the naive twins and as the kernels want them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from hypothesis import settings
from hypothesis import strategies as st
from sqlanon.udfs.arrow import codec
from sqlanon.udfs.kernels.space import BITS, Ints, Microdata, Space, Words
from thorough import examples
from twins import naive

quickly = settings(deadline=None, max_examples=examples(100))
"""Compiling on the first example is not an example's fault."""


@st.composite
def measured_columns(draw: st.DrawFn, size: int = 8, nulls: bool = True) -> naive.Measured:
    """Numbers between 0 and 1, the ends included, and sometimes one or two NULLs of sorts beyond."""
    numbers = sorted(draw(st.sets(st.integers(0, 40), min_size=1, max_size=size)))
    beyond = draw(st.sampled_from([(), (2.0,), (2.0, 3.0)] if nulls else [()]))
    width = max(1, numbers[-1] - numbers[0])
    return naive.Measured((*((number - numbers[0]) / width for number in numbers), *beyond))


@st.composite
def tree_columns(draw: st.DrawFn, size: int = 8) -> naive.Tree:
    """A taxonomy of one to three levels above its leaves; the data has some of the leaves, maybe NULL."""
    node_of = list(range(draw(st.integers(1, size))))
    above = [node_of]
    for _ in range(draw(st.integers(0, 2))):
        starts = draw(st.lists(st.booleans(), min_size=len(node_of), max_size=len(node_of)))
        node_of = [sum(starts[1 : node + 1]) for node in above[-1]]
        above.append(node_of)
    above.append([0] * len(node_of))
    leaves = tuple(tuple(f"{level}.{nodes[leaf]}" for level, nodes in enumerate(above)) for leaf in range(len(node_of)))
    found = sorted(draw(st.sets(st.sampled_from(range(len(leaves))), min_size=1)))
    null = draw(st.sampled_from([(), (None,)]))
    return naive.Tree((*(leaves[leaf] for leaf in found), *null), leaves)


columns = st.one_of(measured_columns(), tree_columns())


@st.composite
def tables(
    draw: st.DrawFn, rows: tuple[int, int] = (1, 12), width: tuple[int, int] = (1, 3), l: int = 1
) -> naive.Table:
    """A table that is eligible for l, with some rows alike."""
    described = tuple(draw(st.lists(columns, min_size=width[0], max_size=width[1])))
    sensitive = draw(eligible_values(l, rows))
    row = st.tuples(*(st.integers(0, code_count(column) - 1) for column in described))
    codes = draw(st.lists(row, min_size=len(sensitive), max_size=len(sensitive)))
    ties = draw(st.lists(st.tuples(st.integers(0, 1)), min_size=len(sensitive), max_size=len(sensitive)))
    return naive.Table(described, tuple(codes), tuple(sensitive), tuple(ties))


@st.composite
def eligible_values(draw: st.DrawFn, l: int, rows: tuple[int, int]) -> list[int]:
    """Sensitive values, 0 upwards without a gap, none in more than 1/l: groups of l or more distinct ones."""
    least, most = rows
    found: list[int] = []
    wanted = draw(st.integers(max(l, least), most))
    values = draw(st.integers(l, wanted))
    while len(found) + l <= wanted:
        size = draw(st.integers(l, min(values, 2 * l - 1, wanted - len(found))))
        found += draw(st.permutations(range(values)))[:size]
    numbers = {value: number for number, value in enumerate(sorted(set(found)))}
    return [numbers[value] for value in draw(st.permutations(found))]


def code_count(column: naive.Column) -> int:
    """How many codes a column has."""
    return len(column.position if isinstance(column, naive.Measured) else column.paths)


def axis_of(column: naive.Column) -> codec.Axis:
    """The column as the codec describes it."""
    if isinstance(column, naive.Measured):
        position = np.array(column.position)
        return codec.straight_axis(position / position.max(initial=1.0), position)
    kind = pa.list_(pa.string())
    return codec.tree_axis(pa.array(column.paths, kind), pa.array(column.leaves, kind))


def space_of(described: Sequence[naive.Column]) -> Space:
    """The columns as kernels want them."""
    return codec.join_axes([axis_of(column) for column in described])


def microdata(table: naive.Table) -> Microdata:
    """The table as kernels want it."""
    codes, ties = np.array(table.codes, np.int32), np.array(table.ties, np.int32)
    return Microdata(
        np.ascontiguousarray(codes.T),
        np.array(table.sensitive, np.int32),
        np.array(table.apart, np.int32).reshape(len(table.codes), -1).T,
        np.ascontiguousarray(ties.T),
        space_of(table.columns),
    )


def grid(dimensions: int, cells: int = 2**BITS) -> Space:
    """A space in which the code of a value is its coordinate."""
    line = np.linspace(0.0, 1.0, cells)
    axis = codec.Axis(
        np.arange(cells, dtype=np.uint16),
        line,
        np.empty((0, cells), np.int32),
        np.empty((0, cells)),
        np.empty((0, cells), np.int64),
    )
    return codec.join_axes([axis] * dimensions)


def naive_keys(table: naive.Table) -> list[int]:
    """Each row's key by the twin of the curve."""
    axes = [axis_of(column).coordinate.tolist() for column in table.columns]
    return [naive.hilbert_key([axis[code] for axis, code in zip(axes, row, strict=True)], BITS) for row in table.codes]


def words_of(keys: Sequence[int], words: int) -> Words:
    """Keys as words, most significant first, one line per word."""
    mask = 2**64 - 1
    return np.array([[key >> 64 * w & mask for key in keys] for w in range(words - 1, -1, -1)], np.uint64)


def whole_keys(keys: Words, dimensions: int) -> list[int]:
    """Keys as integers; the last word is filled from its top."""
    unused = 64 * keys.shape[0] - BITS * dimensions
    return [int("".join(f"{int(word):064b}" for word in key), 2) >> unused for key in keys.T]


def members(group_of: Ints) -> list[list[int]]:
    """The rows of each group, by group number."""
    assert group_of.min(initial=0) >= 0, "a row has no group"
    found: dict[int, list[int]] = {}
    for row, group in enumerate(group_of.tolist()):
        found.setdefault(group, []).append(row)
    return [found[group] for group in sorted(found)]


def contents(table: naive.Table, groups: Sequence[Sequence[int]]) -> list[list[tuple[object, ...]]]:
    """The contents of each group, whatever the rows are called."""
    return sorted(
        sorted((table.codes[row], table.sensitive[row], table.ties[row]) for row in group) for group in groups
    )


def rearrange(table: naive.Table, order: Sequence[int]) -> naive.Table:
    """The same rows, arriving in another order."""
    return naive.Table(
        table.columns,
        tuple(table.codes[row] for row in order),
        tuple(table.sensitive[row] for row in order),
        tuple(table.ties[row] for row in order),
        tuple(table.apart[row] for row in order) if table.apart else (),
    )
