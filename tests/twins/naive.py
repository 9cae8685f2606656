"""Plain-Python twins of the kernels: what each must compute, written to be read, with nothing done for speed.

Rows are known by their index, values by their code. Keys are Python integers of any width, groups are lists
of rows. Nothing here imports numpy or sqlanon.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

Path = tuple[str, ...]
"""A leaf of a taxonomy and what lies above it, the root last."""

Buckets = dict[int, list[int]]
"""The rows left of each sensitive value, in order."""

Heights = dict[int, int]
"""The frontier: the first row of each bucket, and how many rows the bucket has."""

FallBack = Callable[[Heights], list[int]]
"""The order in which rows are taken off the frontier when the lowest lead nowhere."""

Cost = Callable[[int, int], float]
"""The cost of one group of rows start … stop − 1."""


@dataclass(frozen=True)
class Measured:
    """A column of numbers: the position of each code; a whole range is 1."""

    position: tuple[float, ...]


@dataclass(frozen=True)
class Tree:
    """A column of categories: the path of each code, None for NULL, and the paths of all leaves there are."""

    paths: tuple[Path | None, ...]
    leaves: tuple[Path, ...]


Column = Measured | Tree


@dataclass(frozen=True)
class Table:
    """Columns, and per row its codes, its sensitive value and the codes of the columns that only break ties.

    `apart`, if not empty: per row, the codes of further columns in which rows of a group must differ.
    """

    columns: tuple[Column, ...]
    codes: tuple[tuple[int, ...], ...]
    sensitive: tuple[int, ...]
    ties: tuple[tuple[int, ...], ...]
    apart: tuple[tuple[int, ...], ...] = ()


# The curve


def hilbert_key(point: Sequence[int], bits: int) -> int:
    """Walk down the nested cubes: which corner of the cube at hand is the point in, and which is it in order?

    The frame says what the curve's axes are at this depth: an axis of space each, maybe seen in reverse.
    Corners are visited in the order of the Gray code, whose n-th bit is the parity of the first n bits of the
    answer; then the frame turns for the cube in that corner.
    """
    frame = [(axis, 0) for axis in range(len(point))]
    key = 0
    parity = 0
    for bit in range(bits - 1, -1, -1):
        corner = [(point[axis] >> bit) & 1 ^ reverse for axis, reverse in frame]
        for side in corner:
            parity ^= side
            key = 2 * key + parity
        for axis, side in enumerate(corner):
            if side:
                frame[0] = (frame[0][0], 1 - frame[0][1])
            else:
                frame[0], frame[axis] = frame[axis], frame[0]
    return key


def key_gaps(keys: Sequence[int]) -> list[int]:
    """How far each key is from the one before it; 0 for the first."""
    return [0, *(after - before for before, after in pairwise(keys))]


def canonical_order(keys: Sequence[int], table: Table) -> list[int]:
    """The rows by key, then codes, sensitive value and ties."""
    return sorted(
        range(len(keys)), key=lambda row: (keys[row], table.codes[row], table.sensitive[row], table.ties[row])
    )


# Loss


def ncp(column: Column, codes: Iterable[int]) -> float:
    """The normalized certainty penalty of a set of codes of one column."""
    distinct = set(codes)
    if len(distinct) == 1:
        return 0.0
    if isinstance(column, Measured):
        positions = [column.position[code] for code in distinct]
        return min(1.0, max(positions) - min(positions))
    return leaves_below_common_ancestor(column, [column.paths[code] for code in distinct]) / len(column.leaves)


def leaves_below_common_ancestor(tree: Tree, paths: Sequence[Path | None]) -> int:
    """Climb until all paths meet; NULL is met by the others only at the root."""
    for level in range(len(tree.leaves[0])):
        met = {None if path is None else path[level] for path in paths}
        if len(met) == 1 and None not in met:
            return sum(leaf[level] in met for leaf in tree.leaves)
    return len(tree.leaves)


def group_loss(table: Table, rows: Sequence[int]) -> float:
    """|G| · NCP(G), NCP summed over the columns."""
    columns = enumerate(table.columns)
    return len(rows) * sum(ncp(column, (table.codes[row][c] for row in rows)) for c, column in columns)


def gcp(table: Table, groups: Iterable[Sequence[int]]) -> float:
    """The global certainty penalty of a partition, 0 to 1."""
    return sum(group_loss(table, rows) for rows in groups) / (len(table.columns) * len(table.codes))


def positions(values: Sequence[int | float | Fraction | None]) -> list[Fraction]:
    """Numbers between 0 and 1; −infinity, +infinity, NaN and NULL a whole range apart from all else.

    Assumes the order of codes: −infinity, the numbers, +infinity, NaN, NULL.
    """
    numbers = [Fraction(value) for value in values if value is not None and math.isfinite(value)]
    low, width = (min(numbers), max(numbers) - min(numbers)) if numbers else (Fraction(0), Fraction(0))
    found = []
    beyond = Fraction(1)
    for value in values:
        if value is not None and math.isfinite(value):
            found.append((Fraction(value) - low) / width if width else Fraction(0))
        elif value == -math.inf:
            found.append(Fraction(-1))
        else:
            beyond += 1
            found.append(beyond)
    return found


# k-anonymity


def best_cut(cost: Cost, rows: int, k: int) -> tuple[float, list[range]]:
    """The dynamic programme of Fig. 3, as the paper writes it: the least cost, and the groups as runs."""
    optimum = {i: cost(0, i) for i in range(k, min(2 * k - 1, rows) + 1)}
    previous = dict.fromkeys(optimum, 0)
    for i in range(2 * k, rows + 1):
        choices = {j: optimum[j] + cost(j, i) for j in range(max(k, i - 2 * k + 1), i - k + 1)}
        previous[i] = min(choices, key=lambda j: choices[j])
        optimum[i] = choices[previous[i]]
    runs = []
    stop = rows
    while stop > 0:
        runs.append(range(previous[stop], stop))
        stop = previous[stop]
    return optimum[rows], runs[::-1]


def every_cut(rows: int, k: int, start: int = 0) -> Iterator[list[range]]:
    """Every way to cut rows start … rows − 1 into runs of at least k."""
    if start == rows:
        yield []
    for stop in range(start + k, rows + 1):
        for rest in every_cut(rows, k, stop):
            yield [range(start, stop), *rest]


def every_partition(rows: Sequence[int], k: int) -> Iterator[list[list[int]]]:
    """Every way to put rows into groups of at least k, whatever their order."""

    def partitions(rest: Sequence[int], groups: list[list[int]]) -> Iterator[list[list[int]]]:
        if not rest:
            if all(len(group) >= k for group in groups):
                yield groups
            return
        row, *others = rest
        for i, group in enumerate(groups):
            yield from partitions(others, [*groups[:i], [*group, row], *groups[i + 1 :]])
        yield from partitions(others, [*groups, [row]])

    yield from partitions(list(rows), [])


def least_cost(cost: Cost, rows: int, k: int) -> float:
    """The least cost over all cuts into runs of at least k, by trying them all."""
    remembered = cache(cost)
    return min(sum(remembered(run.start, run.stop) for run in cut) for cut in every_cut(rows, k))


def k_groups(keys: Sequence[int], table: Table, k: int) -> list[list[int]]:
    """k-anonymity along the curve: the best cut, by loss."""
    order = canonical_order(keys, table)
    _, runs = best_cut(lambda start, stop: group_loss(table, order[start:stop]), len(order), k)
    return [[order[position] for position in run] for run in runs]


def key_extent_cost(keys: Sequence[int]) -> Cost:
    """The cost of the fast variant: rows times extent on the curve. Assumes keys in order."""
    return lambda start, stop: (stop - start) * (keys[stop - 1] - keys[start])


# l-diversity


def largest_l(sensitive: Sequence[int]) -> int:
    """The most diverse that a table can be made."""
    return len(sensitive) // max(sensitive.count(value) for value in set(sensitive))


def is_diverse(sensitive: Sequence[int], l: int) -> bool:
    """Whether no value is in more than 1/l of the rows; the eligibility condition EG too."""
    return all(sensitive.count(value) * l <= len(sensitive) for value in set(sensitive))


def frontier_groups(keys: Sequence[int], sensitive: Sequence[int], l: int, fall_back: FallBack) -> list[list[int]]:
    """The heuristic of Fig. 8 with the look-ahead that closes §4.2, looking at every bucket at each step.

    Keys are in order, and rows are their positions. Assumes that the table is eligible for l.
    """
    buckets = {value: [row for row, its in enumerate(sensitive) if its == value] for value in set(sensitive)}
    groups = []
    while any(buckets.values()):
        height_of = {bucket[0]: len(bucket) for bucket in buckets.values() if bucket}
        group = smallest_that_may_close(sorted(height_of), buckets, l)
        if group is None:
            group = smallest_that_may_close(fall_back(height_of), buckets, l)
        if group is None:
            raise AssertionError("the table was not eligible")
        for row in group:
            buckets[sensitive[row]].remove(row)
        nearer = row_to_add(group, keys, buckets, sensitive, l)
        if nearer is not None:
            group = [*group, nearer]
            buckets[sensitive[nearer]].remove(nearer)
        groups.append(group)
    return groups


def most_frequent_first(height_of: Heights) -> list[int]:
    """The paper's fall-back: the rows of the tallest buckets first; of equal ones, the lowest row."""
    return sorted(height_of, key=lambda row: (-height_of[row], row))


def tallest_then_lowest(height_of: Heights) -> list[int]:
    """Our fall-back: the buckets of the greatest height, which have to shrink, then the lowest rows."""
    tallest = max(height_of.values())
    return sorted(height_of, key=lambda row: (height_of[row] < tallest, row))


def smallest_that_may_close(candidates: Sequence[int], buckets: Buckets, l: int) -> list[int] | None:
    """The first l or more candidates that leave an eligible rest, if any do."""
    for count in range(l, len(candidates) + 1):
        if eligible_without(candidates[:count], buckets, l):
            return list(candidates[:count])
    return None


def eligible_without(taken: Sequence[int], buckets: Buckets, l: int) -> bool:
    """EG of what remains when the rows taken are gone: no bucket has more than 1/l of it."""
    heights = [len([row for row in bucket if row not in taken]) for bucket in buckets.values()]
    return max(heights) * l <= sum(heights)


def row_to_add(
    group: Sequence[int], keys: Sequence[int], buckets: Buckets, sensitive: Sequence[int], l: int
) -> int | None:
    """The look-ahead: r_A, the lowest of the frontier, if it is nearer to the group than to r_B, the l-th."""
    frontier = sorted(bucket[0] for bucket in buckets.values() if bucket)
    if len(frontier) < l:
        return None
    first, last = frontier[0], frontier[l - 1]
    nearer = abs(keys[first] - keys[min(group)]) < keys[last] - keys[first]
    new = sensitive[first] not in [sensitive[row] for row in group]
    return first if nearer and new and eligible_without([first], buckets, l) else None


def l_groups(keys: Sequence[int], table: Table, l: int, fall_back: FallBack) -> list[list[int]]:
    """l-diversity along the curve, without refinement."""
    order = canonical_order(keys, table)
    along_keys, along_values = [keys[row] for row in order], [table.sensitive[row] for row in order]
    groups = frontier_groups(along_keys, along_values, l, fall_back)
    return [[order[position] for position in group] for group in groups]


def swap_alike(table: Table, groups: Sequence[Sequence[int]], window: int) -> list[list[int]]:
    """Exchange each row with one of the next rows of its sensitive value where that lowers the loss."""
    found = [list(group) for group in groups]
    for row, value in enumerate(table.sensitive):
        alike = [other for other, its in enumerate(table.sensitive) if its == value and other > row]
        for other in alike[:window]:
            here = next(group for group in found if row in group)
            there = next(group for group in found if other in group)
            if here is there:
                continue
            new_here = [other if member == row else member for member in here]
            new_there = [row if member == other else member for member in there]
            before = group_loss(table, here) + group_loss(table, there)
            if group_loss(table, new_here) + group_loss(table, new_there) < before - 1e-9:
                here[:], there[:] = new_here, new_there
    return found


# The heap


class Heap:
    """The promise of a heap, by sorting: the smallest item is the first."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def push(self, item: int) -> None:
        self.items = sorted([*self.items, item])

    def pop(self) -> int:
        return self.items.pop(0)
