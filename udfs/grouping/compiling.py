"""Compiling a kernel before its first real table, with a word to the user when it takes its time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..kernels.runtime import cache
from ..kernels.space import Generalization, Ints, Microdata, SensitiveTrees, Space

PATIENCE = 2.0
"""Seconds before anything is said."""

Partition = Callable[..., Ints | Generalization | None]
"""From the table in codes and the privacy parameters, and options by name, to the group of each row; None if there is
no way.
"""

_log = logging.getLogger("sqlanon")
_warm: set[Partition] = set()


def warm_up(partition: Partition, algo: str, parameters: Sequence[Any] = (2,), trees: bool = False) -> None:
    """Run a kernel once on four rows, so that compiling (or reading the cache) is not mistaken for work."""
    if partition in _warm:
        return
    done = threading.Event()
    threading.Thread(target=excuse, args=(algo, len(cache.compiled), done), daemon=True).start()
    try:
        partition(four_rows(trees), *parameters)
    finally:
        done.set()
    _warm.add(partition)


def excuse(algo: str, compiled_before: int, done: threading.Event) -> None:
    """Say what takes so long, if it is compiling and not just a slow disk."""
    while not done.wait(PATIENCE):
        if len(cache.compiled) > compiled_before:
            _log.warning("compiling algo '%s' for this machine: a few seconds. %s", algo, kept_or_not())
            return


def kept_or_not() -> str:
    """Say whether the next process will have to compile, too."""
    if why := cache.why_unkept():
        return f"It cannot be kept for the next process: {why}. {cache.REMEDY}"
    return "It is kept in your cache directory for this version of sqlanon, Python and numba."


def four_rows(trees: bool = False) -> Microdata:
    """A table with ties in every column, so that every kernel has something to do.

    `trees`: with taxonomies, and so that, for τ = 0.5 and l = 2, a sensitive value has to be generalized.
    """
    levels = 1 if trees else 0
    space = Space(
        first=np.array([0, 2], np.int64),
        coordinate=np.array([0, 4095], np.uint16),
        position=np.array([0.0, 1.0]),
        levels=np.full(1, levels, np.int64),
        trees=np.zeros(1, np.int64),
        ancestor=np.zeros(2 * levels, np.int32),
        share=np.ones(2 * levels),
        leaves=np.full(2 * levels, 2, np.int64),
    )
    codes = np.array([[1, 0, 0, 0]], np.int32)
    sensitive = np.array([1, 1, 0, 0], np.int32)
    apart = np.empty((0, 4), np.int32)
    dominated = SensitiveTrees(np.array([[0, 1, 1, 1]], np.int32), space, np.ones(2)) if trees else None
    return Microdata(codes, sensitive, apart, np.zeros((1, 4), np.int32), space, trees=dominated)
