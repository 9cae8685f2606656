"""Compiling a kernel before its first real table, with a word to the user when it takes its time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import numpy as np

from .kernels.space import Ints, Microdata, Space

PATIENCE = 2.0
"""Seconds before anything is said."""

Partition = Callable[..., Ints]
"""From the table in codes and k or l, and options by name, to the group of each row."""

_log = logging.getLogger("sqlanon")
_warm: set[Partition] = set()


def warm_up(partition: Partition) -> None:
    """Run a kernel once on four rows, so that compiling (or reading the cache) is not mistaken for work.

    On a machine's first call it takes up to half a minute; afterwards the machine code is read from a cache.
    """
    if partition in _warm:
        return
    timer = threading.Timer(PATIENCE, _log.warning, ["compiling for this machine, this once: up to half a minute …"])
    timer.daemon = True
    timer.start()
    try:
        partition(four_rows(), 2)
    finally:
        timer.cancel()
    _warm.add(partition)


def four_rows() -> Microdata:
    """A table with ties in every column, so that every kernel has something to do."""
    empty = np.empty(0, np.float64)
    space = Space(
        first=np.array([0, 2], np.int64),
        coordinate=np.array([0, 4095], np.uint16),
        position=np.array([0.0, 1.0]),
        levels=np.zeros(1, np.int64),
        trees=np.zeros(1, np.int64),
        ancestor=np.empty(0, np.int32),
        share=empty,
    )
    codes = np.array([[1, 0, 0, 0]], np.int32)
    sensitive = np.array([1, 1, 0, 0], np.int32)
    apart = np.empty((0, 4), np.int32)
    return Microdata(codes, sensitive, apart, np.zeros((1, 4), np.int32), space)
