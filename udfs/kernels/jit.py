"""How every kernel is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

from .cache import KernelCache

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first call, without the GIL, and keep the machine code for the next process."""
    compiled: Any = njit(nogil=True)(function)
    if compiled is not function:  # which it is if the JIT is switched off
        compiled._cache = KernelCache(function)
    return cast(Callable[P, R], compiled)
