"""Mondrian: cut the rows in two at the median of a column, and the halves again, while both keep the promise.

Which cuts are made depends on nothing but how many rows have which codes, and rows with equal codes are never
separated: the groups, and their numbers, are the same in whatever order rows arrive.
"""

from __future__ import annotations

import numpy as np

from ..loss import extent_loss
from ..requirement.holds import rows_hold
from ..requirement.requirement import Requirement, Tally, Values, fewest_rows, make_tally, read_values
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Microdata, Space, Wide


def k_groups(data: Microdata, k: int) -> Ints:
    """Return each row's group: at least k rows in each."""
    return groups(data, Requirement(size=k))


def l_groups(data: Microdata, l: int) -> Ints:
    """Return each row's group: no sensitive value in more than 1/l of it."""
    return groups(data, Requirement(frequency=float(l)))


def groups(data: Microdata, requirement: Requirement) -> Ints:
    """Return each row's group, which keeps the requirement. Assumes that all rows together do."""
    size = data.sensitive.size
    rows, group_of = np.arange(size, dtype=np.int32), np.empty(size, np.int32)
    values = read_values(data, requirement)
    codes = np.ascontiguousarray(data.codes.T)
    fewest = fewest_rows(requirement)
    cut_apart(codes, data.space, values, requirement, fewest, rows, make_tally(values), group_of, STOP)
    raise_if_interrupted()
    return group_of


@kernel
def cut_apart(
    codes: Ints, space: Space, values: Values, requirement: Requirement, fewest: int,
    rows: Ints, tally: Tally, group_of: Ints, stop: Flag,
) -> int:  # fmt: skip
    """Fill group_of; return the number of groups. codes has a line per row; a group has `fewest` rows or more.

    Parts are runs of one list of rows. The part at hand is start … end − 1; the stops of those after it wait on a
    stack. Of two cuts of one column, one below the other, the lower leaves at most half of the rows that the upper one
    cut, or one value of the column; so no part is deeper than some 2 · columns · log n, and most are about log n deep.
    A cut looks at each row of its part a few times per column.
    """
    n, columns = codes.shape
    low = np.empty(columns, np.int32)
    high = np.empty(columns, np.int32)
    width = np.empty(columns, np.float64)
    rows_of = np.zeros(n + 1, np.int64)
    stops = np.empty(n // fewest + 1, np.int64)
    stops[0] = n
    waiting = 1
    start = 0
    groups = 0
    while waiting > 0:
        if stop[0]:
            break
        end = stops[waiting - 1]
        part = rows[start:end]
        cut = 0
        if part.shape[0] >= 2 * fewest:
            measure_part(codes, space, part, low, high, width)
            cut = cut_widest(codes, part, low, high, width, values, requirement, fewest, rows_of, tally)
        if cut > 0:
            stops[waiting] = start + cut
            waiting += 1
        else:
            for row in part:
                group_of[row] = groups
            groups += 1
            start = end
            waiting -= 1
    return groups


@kernel
def measure_part(codes: Ints, space: Space, part: Ints | Wide, low: Ints, high: Ints, width: Floats) -> None:
    """Fill in the extent of a part in each column, and its width there: the loss it would have."""
    for c in range(low.shape[0]):
        low[c] = high[c] = codes[part[0], c]
    for row in part:
        for c in range(low.shape[0]):
            low[c] = min(low[c], codes[row, c])
            high[c] = max(high[c], codes[row, c])
    for c in range(low.shape[0]):
        width[c] = extent_loss(space, c, low[c], high[c])


@kernel
def cut_widest(
    codes: Ints, part: Ints | Wide, low: Ints, high: Ints, width: Floats,
    values: Values, requirement: Requirement, fewest: int, rows_of: Wide, tally: Tally,
) -> int:  # fmt: skip
    """Cut a part in the widest column where both halves keep the requirement; the first of equally wide ones.

    Return how many rows are in the left half, which come first in part now; 0 if no column can be cut. Changes width,
    and the order of part.
    """
    for _ in range(low.shape[0]):
        widest = -1
        for c in range(low.shape[0]):
            if low[c] < high[c] and width[c] >= 0.0 and (widest < 0 or width[c] > width[widest]):
                widest = c
        if widest < 0:
            break
        last, left = last_on_the_left(codes, part, widest, low[widest], high[widest], rows_of)
        if min(left, part.shape[0] - left) >= fewest:
            move_left_first(codes, part, widest, last)
            if rows_hold(values, part[:left], requirement, tally) and rows_hold(
                values, part[left:], requirement, tally
            ):
                return left
        width[widest] = -1.0  # tried
    return 0


@kernel
def last_on_the_left(
    codes: Ints, part: Ints | Wide, column: int, low: int, high: int, rows_of: Wide
) -> tuple[int, int]:
    """Return the largest code of the left half, and how many rows that has. Assumes that low < high occur.

    The lower median and all below it go left. If it is the largest code of all, its rows go right: else a column of
    two values, the second of which is in most rows, could not be cut. The median is found by counting rows per
    interval of codes, as many intervals as there are rows, then within the interval that has it, until that is one
    code wide. `rows_of` is all 0, before and after.
    """
    rank = (part.shape[0] - 1) // 2
    lowest, highest, below = low, high - 1, 0  # of codes that may be the last on the left
    while lowest < highest:
        shift = 0
        while (highest - lowest) >> shift > part.shape[0]:
            shift += 1
        intervals = ((highest - lowest) >> shift) + 1
        for row in part:
            code = codes[row, column]
            if lowest <= code <= highest:
                rows_of[(code - lowest) >> shift] += 1
        interval = 0
        while interval < intervals - 1 and below + rows_of[interval] <= rank:
            below += rows_of[interval]
            interval += 1
        rows_of[:intervals] = 0
        lowest, highest = lowest + (interval << shift), min(highest, lowest + ((interval + 1) << shift) - 1)
    left = 0
    for row in part:
        left += codes[row, column] <= lowest
    return lowest, left


@kernel
def move_left_first(codes: Ints, part: Ints | Wide, column: int, last: int) -> None:
    """Put the rows whose code is at most `last` before the others, in place."""
    i, j = 0, part.shape[0] - 1
    while True:
        while i <= j and codes[part[i], column] <= last:
            i += 1
        while i <= j and codes[part[j], column] > last:
            j -= 1
        if i > j:
            return
        part[i], part[j] = part[j], part[i]
