"""Attributes of few values, and rows with lists of them, for the kernels that read randomized releases."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from twins import randomize as twin

Attributes = list[tuple[int, int, float]]


@st.composite
def attributes(draw: st.DrawFn) -> Attributes:
    """One to three attributes of few cells in all: (size, eta, p)."""
    drawn: Attributes = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(2, 4))
        drawn.append((size, draw(st.integers(1, size - 1)), draw(st.sampled_from([1.0, 0.7, 0.3]))))
    return drawn


def randomize(described: Attributes, seed: int, rows: int) -> list[list[list[int]]]:
    """Lists of rows whose values go together."""
    key = (seed, 99)
    stream = random.Random(seed)
    table = []
    for row in range(rows):
        level = stream.random() ** 2
        codes = [int(level * size) for size, _, _ in described]
        table.append(
            [
                [number - 1 for number in twin.drawn_list(key, row, column, code, *described[column])]
                for column, code in enumerate(codes)
            ]
        )
    return table
