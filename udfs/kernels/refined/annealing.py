"""Annealing: random proposals, of which those for the worse are taken the more seldom the lower the temperature is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import frugal_kernel
from ..space import Flag, Floats, Wide
from .dissolving import dissolve
from .groups import Groups, Rows
from .neighbours import Neighbours, neighbour
from .proposals import try_row

CHUNK = 1 << 15
"""Proposals whose random numbers are drawn at once."""
DISSOLVING = 0.05
"""How often a group that is drawn is dissolved, divided by its size."""


WINDOW = 2048
"""Rows next to each other, out of which a row is drawn for some proposals: what they need stays at hand."""
STAY = 4096
"""Proposals until another window is drawn."""
EFFORT, EFFORT_IF_LARGE = 4, 2
"""Of the ten: the default, and that for tables of more than LARGE rows."""
LARGE = 200_000
FEWEST, GROWTH = 45, 1.75
"""Proposals per row with the smallest effort, and how many times as many each step more of it makes."""
HEAT, COLD = 0.37, 0.03
"""The first temperature is HEAT times the root of what a group costs before; the last is COLD, if that is lower."""
AT_REST = 0.05
"""The share of proposals in the end at temperature 0: only what lowers the loss is done."""


class Schedule(NamedTuple):
    """How many proposals there are for each row, and by how much the first temperature is changed."""

    per_row: int
    heat: float = HEAT


class Draws(NamedTuple):
    """Random numbers of each proposal: the row, its neighbour and the allowance in units of the temperature."""

    row: Wide
    neighbour: Wide
    lottery: Floats
    allowance: Floats


def choose_schedule(effort: int | None, rows: int, threshold: int) -> Schedule:
    """Return the schedule of an effort, or of the default. A proposal costs more where groups are large."""
    if effort is None:
        effort = EFFORT if rows <= LARGE else EFFORT_IF_LARGE
    return Schedule(max(1, round(FEWEST * GROWTH ** (effort - 1) / (1 + threshold / 30))))


Proposer = Callable[[Draws, float, float], float]
"""Makes proposals from a temperature that falls by a factor after each, and returns the temperature after the last."""


def anneal(rows: Rows, groups: Groups, neighbours: Neighbours, schedule: Schedule, random: np.random.Generator) -> None:
    """Change groups, by so many proposals."""

    def make(draws: Draws, temperature: float, cooling: float) -> float:
        return propose(rows, groups, neighbours, draws, temperature, cooling, STOP)

    anneal_by(make, groups, schedule, random)


def anneal_by(make: Proposer, groups: Groups, schedule: Schedule, random: np.random.Generator) -> None:
    """Change groups, by so many proposals that are made like this."""
    used = groups.size > 0
    cost = float((groups.size[used] * groups.loss[used]).mean())
    hot = schedule.heat * np.sqrt(cost)
    cold = min(COLD, hot)
    rows = groups.group_of.size
    proposals = schedule.per_row * rows
    warm = int(proposals * (1 - AT_REST))
    if cost > 0.0:
        run(make, rows, warm, hot, (cold / hot) ** (1 / max(1, warm)), random)
        run(make, rows, proposals - warm, 0.0, 1.0, random)


def run(
    make: Proposer, rows: int, proposals: int, temperature: float, cooling: float, random: np.random.Generator
) -> None:
    """Make proposals, while the temperature falls by `cooling` after each."""
    for start in range(0, proposals, CHUNK):
        draws = draw_proposals(random, rows, min(CHUNK, proposals - start))
        temperature = make(draws, temperature, cooling)
        raise_if_interrupted()


def draw_proposals(random: np.random.Generator, rows: int, count: int) -> Draws:
    """Return the random numbers of so many proposals."""
    window = np.repeat(random.integers(0, rows, -(-count // STAY)), STAY)[:count]
    return Draws(
        (window + random.integers(0, min(WINDOW, rows), count)) % rows,
        random.integers(0, 1 << 40, count),
        random.random(count),
        random.standard_exponential(count),
    )


@frugal_kernel
def propose(
    rows: Rows, groups: Groups, neighbours: Neighbours, draws: Draws, temperature: float, cooling: float, stop: Flag
) -> float:
    """Make proposals, and return the temperature after the last."""
    for i in range(draws.row.shape[0]):
        if stop[0]:
            break
        temperature *= cooling
        row = draws.row[i]
        here = groups.group_of[row]
        if groups.loss[here] == 0.0:
            continue
        which, copy = draws.neighbour[i] & 0xFFFFF, draws.neighbour[i] >> 20
        other = neighbour(neighbours, row, which, copy)
        if groups.group_of[other] == here:  # a step further
            other = neighbour(neighbours, other, copy, which)
        there = groups.group_of[other]
        allowed = temperature * draws.allowance[i]
        if draws.lottery[i] * groups.size[here] < DISSOLVING:
            dissolve(rows, groups, neighbours, here, which, allowed)
        elif there != here:
            try_row(rows, groups, row, there, allowed)
    return temperature
