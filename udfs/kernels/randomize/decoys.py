"""Hiding each value of a row in a list (Sei et al. 2017, section V-B).

With probability p a list holds the value and decoys from the rest of the domain, else values from all of the domain;
always without repeats, and each as likely as any other. Every number drawn depends on the key, the row and the column.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Wide, Words
from .siphash import keyed_hash

ONE = np.uint64(1)
SHUFFLE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""The second word of the hash that rows are sorted by; no draw has it."""
COLUMN_BITS = np.uint64(32)
"""Where the number of the column starts in the second word; the number of the draw is below."""
HALF, LOWER_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
SHORT = 24
FRACTION_BITS, FRACTION = np.uint64(11), 2.0**-53


@kernel
def draw_shuffle_keys(key: Words, rows: Wide, shuffle_keys: Words) -> None:
    """Fill in what to sort the rows by: an order that tells nothing."""
    for i in range(rows.size):
        shuffle_keys[i] = keyed_hash(key[0], key[1], np.uint64(rows[i]), SHUFFLE)


@kernel
def draw_lists(key: Words, rows: Wide, codes: Ints, sizes: Wide, etas: Wide, chances: Floats, lists: Ints) -> None:
    """Fill a line of `lists` for each row: the items of its columns one after the other, each column's ascending.

    Items are codes + 1. `codes` has shape (rows, columns), `chances` the p of the columns. Assumes
    1 <= etas <= sizes < 2^31, 0 <= codes < sizes, and no row number twice.
    """
    marks = np.zeros(sizes.max(), np.uint8)
    for i in range(rows.size):
        start = 0
        for c in range(sizes.size):
            stop = start + etas[c]
            first_draw = np.uint64(c) << COLUMN_BITS
            draw_list(
                key, np.uint64(rows[i]), first_draw, codes[i, c], sizes[c], chances[c], marks, lists[i, start:stop]
            )
            start = stop


@kernel
def draw_list(
    key: Words, row: np.uint64, draw: np.uint64, code: int, size: int, chance: float, marks: Flag, items: Ints
) -> None:
    """Fill the list of one row and column; `marks` is all 0, before and after. A number drawn is half of a hash."""
    truthful = True
    if chance < 1:
        coin = keyed_hash(key[0], key[1], row, draw)
        truthful = bool(np.float64(coin >> FRACTION_BITS) * FRACTION < chance)
    others = size - 1 if truthful else size
    decoys = items.size - 1 if truthful else items.size
    halves = np.uint64(0)
    left = 0
    for i in range(decoys):  # Floyd's way: every set of so many decoys is as likely as any other
        last = others - decoys + i
        bound = np.uint64(last + 1)
        while True:  # Lemire's way: a few numbers are drawn again, as some places would be drawn more often
            if left == 0:
                draw = draw + ONE
                halves = keyed_hash(key[0], key[1], row, draw)
                left = 2
            product = (halves & LOWER_HALF) * bound
            halves = halves >> HALF
            left -= 1
            if product & LOWER_HALF >= bound:
                break
            if product & LOWER_HALF >= (LOWER_HALF + ONE - bound) % bound:
                break
        chosen = np.int64(product >> HALF)
        items[i] = last if marks[chosen] else chosen
        marks[items[i]] = 1
    for i in range(decoys):
        marks[items[i]] = 0
        items[i] += 2 if truthful and items[i] >= code else 1
    if truthful:
        items[decoys] = code + 1
    sort_items(items)


@kernel
def sort_items(items: Ints) -> None:
    """Sort a list: most are so short that a general sort would take longer than drawing them."""
    if items.size > SHORT:
        items.sort()
        return
    for i in range(1, items.size):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
