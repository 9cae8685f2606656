"""_sqlanon_clock: what time it is once its first argument is there; so a statement can time its own steps."""

from __future__ import annotations

import time

import pyarrow as pa

from sqlanon.algorithms import find
from sqlanon.errors import BrokenPromise, SqlanonError

from .compiling import warm_up
from .groups import load_kernel

NAME = "_sqlanon_clock"
RETURNS = "DOUBLE"
VOLATILE = True
"""Every call has an answer of its own: it is not folded at bind time, and not shared."""


def call(after: pa.ChunkedArray, algo: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: anything at all, whose being there is what counts, and the algorithm to be timed, or NULL."""
    try:
        return pa.array([seconds(name.as_py()) for _, name in zip(after, algo, strict=True)], pa.float64())
    except SqlanonError:
        raise
    except Exception as error:
        raise BrokenPromise(f"{type(error).__name__} while reading the clock") from error


def seconds(algo: str | None) -> float:
    """Seconds since some moment; of an algorithm about to run, after it is compiled, which is not its own time."""
    if algo is not None:
        warm_up(load_kernel(find("ldiverse", algo).kernel))
    return time.perf_counter()
