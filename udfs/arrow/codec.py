"""Where Arrow meets numpy: what DuckDB hands over, in the arrays that kernels work on.

DuckDB has already replaced every value by its code, its rank among the column's distinct values (NULL
last). What is left to do here is to say what the codes *mean*: where a number lies between its column's
smallest and largest, or which branch of a taxonomy a category is on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sqlanon.errors import UnsupportedType

from ..kernels.space import BITS, Generalization, Space, Wide, Writing
from .arguments import list_of, malformed_call, whole_numbers

ROOT = "*"
LEVELS = pa.list_(pa.list_(pa.uint8()))
MARGIN = 0.125
"""How far beyond the numbers ±infinity, NaN and NULL lie on the curve, as a share of the numbers' range."""


@dataclass(frozen=True)
class Axis:
    """One quasi-identifier: per code, its coordinate on the curve and either a position or a branch.

    `position`: extents lose their difference, at most 1. `branch`: shape (levels, codes), a node number per
    level, and, of the same shape, `share`, the loss of publishing that node, and `leaves`, how many are below it.
    """

    coordinate: NDArray[np.uint16]
    position: NDArray[np.float64]
    branch: NDArray[np.int32]
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]


def row_codes(rows: pa.StructArray, sizes: Mapping[str, int], wildcards: bool = False) -> NDArray[np.int32]:
    """Return the codes of the named columns, whose domains have these sizes, shape (columns, rows).

    With `wildcards`, NULL is one, and gets the code in the middle.
    """
    codes = np.empty((len(sizes), len(rows)), np.int32)
    for i, (name, size) in enumerate(sizes.items()):
        column = whole_numbers("rows", rows, name, size, gaps=wildcards)
        if column.null_count:
            known = column.drop_null().to_numpy(zero_copy_only=False)
            column = column.fill_null(int(np.sort(known)[known.size // 2]) if known.size else 0)
        codes[i] = column.to_numpy(zero_copy_only=False)
    return codes


def wildcard_flags(rows: pa.StructArray, names: Sequence[str]) -> NDArray[np.int32]:
    """Return 1 where a row has a wildcard, a line for each of the named columns that has any."""
    columns = (rows.field(name) for name in names)
    flags = [column.is_null().to_numpy(zero_copy_only=False) for column in columns if column.null_count]
    return np.array(flags, np.int32).reshape(len(flags), len(rows))


def read_writing(rows: pa.StructArray, described: Mapping[str, Mapping[str, Any]], wildcards: bool) -> Writing:
    """How groups write the quasi-identifiers that are described, by the names of their columns."""
    columns = described.values()
    wild = np.stack([rows.field(name).is_null().to_numpy(zero_copy_only=False) for name in described])
    return Writing(
        ranges=np.array([column["kind"].as_py() == "range" for column in columns]),
        missing=np.array([code_of(column, "missing") for column in columns], np.int64),
        star=np.array([code_of(column, "star") for column in columns], np.int64),
        wild=wild if wildcards and wild.any() else None,
        labels=tuple(read_labels(list_of(one, "domain")) if "taxonomy" in one else None for one in columns),
    )


def code_of(described: Mapping[str, Any], name: str) -> int:
    """The code of NULL, or of the text `*`, in a column; -1 if it has none."""
    code = described[name].as_py() if name in described else None
    return -1 if code is None else int(code)


def read_labels(paths: pa.Array) -> Wide:
    """A number for the text of each label, shape (levels + 1, codes), from the paths of codes; -1 where NULL has none.

    A star is the root, whatever that is called: values and NULL meet there.
    """
    known = paths.drop_null()
    if not len(known):
        return np.full((2, len(paths)), -1, np.int64)
    texts = known.flatten().dictionary_encode()
    numbers = texts.indices.to_numpy(zero_copy_only=False).astype(np.int64).reshape(len(known), -1).T
    root = numbers[-1, 0]
    words = texts.dictionary.to_pylist()
    if ROOT in words:
        numbers = np.where(numbers == words.index(ROOT), root, numbers)
    labels = np.full((numbers.shape[0], len(paths)), -1, np.int64)
    labels[:, paths.is_valid().to_numpy(zero_copy_only=False)] = numbers
    labels[-1] = root
    return labels


def integers(values: pa.Array) -> Wide:
    """Whole numbers, none of them NULL."""
    numbers: Wide = values.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers


def as_lists(arrays: Sequence[NDArray[Any]], kind: pa.DataType) -> pa.ListArray:
    """Return one list per array, of numbers of this type: what a function hands back to DuckDB."""
    offsets = np.cumsum([0, *(array.size for array in arrays)], dtype=np.int32)
    return pa.ListArray.from_arrays(offsets, pa.concat_arrays([pa.array(array, kind) for array in (*arrays, [])]))


def as_generalizations(answers: Sequence[NDArray[np.int32] | Generalization]) -> pa.StructArray:
    """Return, for each answer of an algorithm, a struct: the groups of rows, and a list of levels for each row."""
    plain = [answer.group_of if isinstance(answer, Generalization) else answer for answer in answers]
    levels = [answer.levels if isinstance(answer, Generalization) else None for answer in answers]
    lists = pa.concat_arrays([*map(as_levels, levels), pa.array([], LEVELS)])
    return pa.StructArray.from_arrays([as_lists(plain, pa.int32()), lists], ["groups", "levels"])


def as_levels(levels: NDArray[np.uint8] | None) -> pa.ListArray:
    """Return one list, with a list for each row; NULL where there are no levels."""
    if levels is None:
        return pa.array([None], LEVELS)
    width, rows = levels.shape
    cells = pa.array(np.ascontiguousarray(levels.T).ravel(), pa.uint8())
    by_row = pa.ListArray.from_arrays(np.arange(rows + 1, dtype=np.int32) * width, cells)
    return pa.ListArray.from_arrays(np.array([0, rows], np.int32), by_row)


def refuse_types(columns: Iterable[Mapping[str, Any]]) -> None:
    """Raise SA104 for the first column whose type sql/types.sql refuses."""
    for column in columns:
        kind = column["kind"].as_py()
        if kind in ("refused", "with enum"):
            raise UnsupportedType(column["column"].as_py(), column["type"].as_py(), kept=kind == "with enum")


def read_axis(described: Mapping[str, Any]) -> Axis:
    """Turn the description of a column that the statement made into an axis.

    `kind` is what sql/types.sql makes of the type; `domain` the distinct values in code order, or their
    paths to the root when there is a `taxonomy`, which lists the paths of all leaves. If that was made from
    the values, `measures` has them.
    """
    domain = list_of(described, "domain")
    if "taxonomy" in described:
        axis = tree_axis(domain, list_of(described, "taxonomy"))
        made_of_numbers = "measures" in described and described["kind"].as_py() == "range"
        return with_ranges(axis, measures(list_of(described, "measures"))) if made_of_numbers else axis
    if described["kind"].as_py() == "range":
        return measured_axis(measures(domain))
    return flat_axis(len(domain))


def flat_axis(size: int) -> Axis:
    """Categories without a taxonomy: one apart each, so that any two together lose everything."""
    return straight_axis(np.arange(size) / max(1, size - 1), np.arange(size, dtype=np.float64))


def measured_axis(values: NDArray[np.float64]) -> Axis:
    """Numbers lie between 0 and 1; what is not a number lies a whole range away from everything else.

    Assumes the order of codes: −infinity, the numbers, +infinity, NaN, and NULL, which comes as NaN too.
    """
    numbers = np.isfinite(values)
    position = np.zeros(values.size)
    if numbers.any():
        low, high = values[numbers].min(), values[numbers].max()
        if high > low:
            # in halves if need be: the difference of two huge numbers of opposite sign would overflow
            scale = 0.5 if high / 2 - low / 2 > np.finfo(np.float64).max / 2 else 1.0
            position[numbers] = (values[numbers] * scale - low * scale) / (high * scale - low * scale)
    fraction = position.copy()
    below = values == -np.inf
    position[below], fraction[below] = -1.0, -MARGIN
    beyond = np.flatnonzero(~numbers & ~below)
    rank = np.arange(1, beyond.size + 1)
    position[beyond], fraction[beyond] = 1.0 + rank, 1.0 + MARGIN * rank
    fraction -= fraction.min(initial=0.0)
    return straight_axis(fraction / max(1.0, fraction.max(initial=1.0)), position)


def straight_axis(fraction: NDArray[np.float64], position: NDArray[np.float64]) -> Axis:
    """An axis without branches, from fractions between 0 and 1."""
    coordinate = np.round(fraction * (2**BITS - 1)).astype(np.uint16)
    nodes = np.empty((0, fraction.size), np.int32)
    return Axis(coordinate, position, nodes, np.empty(nodes.shape), np.empty(nodes.shape, np.int64))


def measures(domain: pa.Array) -> NDArray[np.float64]:
    """Return the distance of each value from the smallest, subtracted before it is rounded; NULL as NaN.

    DuckDB's ±infinity of dates and timestamps, the ends of their integers, become ±infinity.
    """
    kind = domain.type
    if pa.types.is_temporal(kind):
        ticks = domain.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
        bound = np.iinfo(np.int32 if kind.bit_width == 32 else np.int64).max
        endless = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
        return integer_measures(ticks, (-bound, bound) if endless else None)
    if pa.types.is_integer(kind):
        return integer_measures(domain, None)
    if pa.types.is_decimal(kind):
        return decimal_measures(domain)
    if pa.types.is_string(kind):
        return whole_measures(domain)
    return to_floats(domain)


def integer_measures(values: pa.Array, endless: tuple[int, int] | None) -> NDArray[np.float64]:
    """Subtract the smallest as an integer: two numbers beyond 2^53 keep their distance."""
    present = values.drop_null().to_numpy(zero_copy_only=False)
    measured = np.full(len(values), np.nan)
    if endless is None:
        numbers = np.ones(present.size, np.bool_)
    else:
        numbers = (present != endless[0]) & (present != endless[1])
        measured[: present.size][present == endless[0]] = -np.inf
        measured[: present.size][present == endless[1]] = np.inf
    if numbers.any():
        # as unsigned, the difference wraps into the right answer whatever the signs
        width = np.dtype(f"u{present.dtype.itemsize}")
        kept = present[numbers].view(width)
        measured[: present.size][numbers] = kept - kept[0]
    return measured


def whole_measures(texts: pa.Array) -> NDArray[np.float64]:
    """Whole numbers of any size, as text: shares of the way from the smallest to the largest, which never overflow."""
    numbers = [int(Decimal(text)) for text in texts.drop_null().to_pylist()]  # int() refuses more than 4,300 digits
    low, high = min(numbers, default=0), max(numbers, default=0)
    measured = np.full(len(texts), np.nan)
    measured[: len(numbers)] = [(number - low) / max(1, high - low) for number in numbers]
    return measured


def decimal_measures(values: pa.Array) -> NDArray[np.float64]:
    """Subtract the smallest decimal before anything is rounded."""
    wide = values.cast(pa.decimal256(70, values.type.scale))
    return to_floats(pc.subtract(wide, wide[0]) if wide[0].is_valid else wide)


def to_floats(values: pa.Array) -> NDArray[np.float64]:
    """As floating-point numbers, NULL as NaN."""
    floats: NDArray[np.float64] = values.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return floats


def tree_axis(domain: pa.Array, taxonomy: pa.Array) -> Axis:
    """Read a taxonomy, which the statement has checked: number its nodes, count its leaves.

    `domain` holds the path of each code, in an order that keeps every subtree together; NULL, if the data
    has it, is the last and hangs from the root. `taxonomy` holds all paths. The label of the root means the root
    wherever it stands; a node above one leaf only loses nothing.
    """
    paths = taxonomy.to_pylist() or [[ROOT, ROOT]]  # one that was made where every value is missing
    if any(path is None or len(path) != len(paths[0]) or len(path) < 2 for path in paths):
        raise malformed_call("columns", "the paths of a taxonomy are not of one length")
    nodes, leaves_below = read_tree(paths)
    levels, root = len(paths[0]) - 1, paths[0][-1]
    branch = np.full((levels, len(domain)), -1, np.int32)
    leaves = np.ones(branch.shape, np.int64)
    for code, path in enumerate(domain.to_pylist()):
        if path is None:  # NULL: a leaf of its own, met by the others only at the root
            branch[-1, code] = nodes[(levels, root)]
            leaves[-1, code] = len(paths)
            continue
        for level in range(1, levels + 1):
            node = nodes[(levels if path[level] == root else level, path[level])]
            branch[level - 1, code] = node
            leaves[level - 1, code] = leaves_below[node]
    share = np.where(leaves > 1, leaves / len(paths), 0.0)
    share[-1] = 1.0
    fraction = np.arange(len(domain)) / max(1, len(domain) - 1)
    flat = straight_axis(fraction, np.zeros(len(domain)))
    return Axis(flat.coordinate, flat.position, branch, share, leaves)


def with_ranges(axis: Axis, values: NDArray[np.float64]) -> Axis:
    """The same tree, whose labels are ranges of numbers: what they lose is their width, not their share of leaves."""
    position = measured_axis(values).position
    share = axis.share.copy()
    for nodes, losses in zip(axis.branch[:-1], share[:-1], strict=True):
        for node in np.unique(nodes[nodes >= 0]):
            below = nodes == node
            losses[below] = min(1.0, position[below].max() - position[below].min())
    return dataclasses.replace(axis, share=share)


def read_tree(paths: list[list[str]]) -> tuple[dict[tuple[int, str], int], list[int]]:
    """Number the inner nodes, (level, label) each, and count the leaves below them."""
    nodes: dict[tuple[int, str], int] = {}
    leaves: list[int] = []
    for path in paths:
        for level, label in enumerate(path[1:], 1):
            node = nodes.setdefault((level, label), len(nodes))
            if node == len(leaves):
                leaves.append(0)
            leaves[node] += 1
    return nodes, leaves


def join_axes(axes: Sequence[Axis]) -> Space:
    """Lay the axes out one after the other, as kernels want them."""
    sizes = [axis.coordinate.size for axis in axes]
    trees = [axis.branch.size for axis in axes]
    return Space(
        first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        coordinate=np.concatenate([axis.coordinate for axis in axes]),
        position=np.concatenate([axis.position for axis in axes]),
        levels=np.array([axis.branch.shape[0] for axis in axes], np.int64),
        trees=(np.cumsum(trees) - trees).astype(np.int64),
        ancestor=np.concatenate([axis.branch.ravel() for axis in axes]),
        share=np.concatenate([axis.share.ravel() for axis in axes]),
        leaves=np.concatenate([axis.leaves.ravel() for axis in axes]),
    )
