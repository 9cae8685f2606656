"""How every kernel is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first call, without the GIL, and keep the machine code for the next process.

    Where no directory can be written, a kernel is compiled anew in each process instead of failing.
    """
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: no locator available for the cache
        compiled = njit(nogil=True)(function)
    return cast(Callable[P, R], compiled)
