"""Cross tabulations from randomized lists, by iterative Bayes (Sei et al. 2017, section V-D).

A cell is a combination of values; cells are numbered with the last attribute running fastest. Its `observed` count is
that of the records whose lists hold all its values. A record with the values of one cell holds those of another with a
probability that is a product over the attributes: `same` where the values are equal, else `other`. So the sum over all
cells is taken attribute by attribute, and no matrix of cells by cells is ever made; so is its inverse.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Wide

TOLERANCE = 1e-6
"""The share of all rows that a step may still move, all cells together, when the counts are called final."""
MOST_STEPS = 20_000
"""After so many the counts are given as they are. Real tables take some hundred."""
FIRST_REACH = 4.0
NEARLY_NOTHING = 1e-300
TELLS_NOTHING = 1e-6
"""How far apart `same` and `other` are where lists tell next to nothing."""


@kernel
def mix(cells: Floats, start: int, end: int, stride: int, size: int, same: float, other: float, total: Floats) -> None:
    """Spread the cells from start to end along one attribute, whose codes are a stride apart. `total` is scratch."""
    apart, block = same - other, stride * size
    for low in range(start, end, block):
        if stride == 1:
            line = cells[low : low + block]
            share = 0.0
            for i in range(line.size):
                share += line[i]
            share *= other
            for i in range(line.size):
                line[i] = apart * line[i] + share
            continue
        total[:stride] = 0.0
        for place in range(low, low + block, stride):
            line = cells[place : place + stride]
            for i in range(line.size):
                total[i] += other * line[i]
        for place in range(low, low + block, stride):
            line = cells[place : place + stride]
            for i in range(line.size):
                line[i] = apart * line[i] + total[i]


@kernel
def spread(cells: Floats, sizes: Wide, same: Floats, other: Floats) -> None:
    """Replace counts of cells by the counts that are to be observed for them.

    All attributes but the first are done for one code of it after the other: so many cells stay close to the processor.
    """
    inner = cells.size // sizes[0]
    total = np.empty(inner)
    for start in range(0, cells.size, inner):
        stride = 1
        for j in range(sizes.size - 1, 0, -1):
            mix(cells, start, start + inner, stride, sizes[j], same[j], other[j], total)
            stride *= sizes[j]
    mix(cells, 0, cells.size, inner, sizes[0], same[0], other[0], total)


@kernel
def inverse(sizes: Wide, same: Floats, other: Floats) -> tuple[Floats, Floats]:
    """The numbers in place of `same` and `other` to get from observed counts back to cells, none of which is bounded.

    Where lists tell nothing, all values of an attribute get the same.
    """
    back_same, back_other = np.empty(sizes.size), np.empty(sizes.size)
    for j in range(sizes.size):
        apart = same[j] - other[j]
        members = same[j] + (sizes[j] - 1) * other[j]
        if apart < TELLS_NOTHING:
            back_same[j] = back_other[j] = 1 / (sizes[j] * members)
        else:
            back_other[j] = -other[j] / (members * apart)
            back_same[j] = 1 / apart + back_other[j]
    return back_same, back_other


@kernel
def step(
    counts: Floats,
    observed: Floats,
    sizes: Wide,
    same: Floats,
    other: Floats,
    members: float,
    judged: bool,
    stepped: Floats,
) -> float:
    """One step of equation 26 from these counts into `stepped`; the total stays.

    Returns how likely the counts made what was observed, if that is to be judged: it takes as long as half a step.
    """
    stepped[:] = counts
    spread(stepped, sizes, same, other)
    likelihood = 0.0
    if judged:
        for cell in range(stepped.size):
            if observed[cell] > 0:
                likelihood += observed[cell] * np.log(stepped[cell])
    for cell in range(stepped.size):
        stepped[cell] = observed[cell] / max(stepped[cell], NEARLY_NOTHING)  # where it is 0, so is what was observed
    spread(stepped, sizes, same, other)
    share = 1 / members
    for cell in range(stepped.size):
        stepped[cell] *= counts[cell] * share
    return likelihood


@kernel
def leap(start: Floats, first: Floats, second: Floats, reach: float, ahead: Floats) -> float:
    """Go where two steps point to (SQUAREM, Varadhan and Roland 2008), but no further than `reach` steps.

    What would fall below 0 only comes closer to it. Fills `ahead`, and returns how many steps long the leap is.
    """
    change, turn = 0.0, 0.0
    for cell in range(start.size):
        moved = first[cell] - start[cell]
        bend = second[cell] - first[cell] - moved
        change += moved * moved
        turn += bend * bend
    length = min(max(1.0, np.sqrt(change / turn)), reach) if turn > 0 else 1.0
    rows, total = 0.0, 0.0
    for cell in range(start.size):
        moved = first[cell] - start[cell]
        bend = second[cell] - first[cell] - moved
        place = start[cell] + length * (2 * moved + length * bend)
        ahead[cell] = place if place > 0 else second[cell] / 2
        rows += second[cell]
        total += ahead[cell]
    ahead *= rows / total
    return length


@kernel
def first_guess(observed: Floats, sizes: Wide, same: Floats, other: Floats, members: float) -> Floats:
    """The counts that would be observed as they were, were it not for those below 0; these become small."""
    guess = observed.copy()
    back_same, back_other = inverse(sizes, same, other)
    spread(guess, sizes, back_same, back_other)
    for cell in range(guess.size):
        guess[cell] = max(guess[cell], observed[cell] / members / 100)
    guess *= observed.sum() / members / guess.sum()
    return guess


@kernel
def reconstruct(
    observed: Floats, sizes: Wide, same: Floats, other: Floats, members: float, stop: Flag
) -> tuple[Floats, int, float]:
    """The counts that one more step leaves as they are; `members` is how many cells one record is observed in.

    Two steps, then a leap, unless it would lead away. Returns the number of steps, and the share of all rows that one
    more would move, too.
    """
    rows = observed.sum() / members
    if rows == 0:
        return np.zeros(observed.size), 0, 0.0
    counts = first_guess(observed, sizes, same, other, members)
    first, second, ahead = np.empty(counts.size), np.empty(counts.size), np.empty(counts.size)
    best, reach, steps = -np.inf, FIRST_REACH, 0
    while True:
        step(counts, observed, sizes, same, other, members, False, first)
        change = 0.0
        for cell in range(counts.size):
            change += abs(first[cell] - counts[cell])
        change /= rows
        if change <= TOLERANCE or steps >= MOST_STEPS or stop[0]:
            return counts, steps, change
        step(first, observed, sizes, same, other, members, False, second)
        length = leap(counts, first, second, reach, ahead)
        reached = step(ahead, observed, sizes, same, other, members, True, first)
        steps += 3
        if reached >= best:
            counts, first, best = first, counts, reached
            reach = 4 * reach if length == reach else reach
        else:
            counts, second = second, counts
            reach = max(2.0, reach / 4)
