"""How every kernel is compiled.

Python calls a kernel through a wrapper that takes each argument apart. Other kernels need none of that: for them it is
compiled once more, without a wrapper, and as seldom as possible. That halves the time of a first call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit, types

from .cache import KernelCache

P = ParamSpec("P")
R = TypeVar("R")


jit: Any = functools.partial(njit, nogil=True)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first call, without the GIL, and keep the machine code for the next process.

    That it counts references is said, so that a frugal kernel can call it whichever of the two is compiled first.
    """
    return compile_kernel(function, functools.partial(jit, _nrt=True))


def frugal_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that makes no arrays without counting references to any.

    That takes most of the time of small kernels that call each other, with many arrays in their arguments.
    """
    return compile_kernel(function, functools.partial(jit, _nrt=False))


def inner_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a frugal kernel into each kernel that calls it: for what is called so often that calls cost."""
    return compile_kernel(function, functools.partial(jit, _nrt=False, forceinline=True))


def compile_kernel(function: Callable[P, R], jit: Any) -> Callable[P, R]:
    """Return what compiles the function with these settings: once for Python, and once for other kernels."""
    compiled: Any = jit(no_cfunc_wrapper=True)(function)
    if compiled is not function:  # which it is if the JIT is switched off
        compiled._cache = KernelCache(function)
        within: Any = jit(no_cfunc_wrapper=True, no_cpython_wrapper=True)(function)
        compiled.get_call_template = for_kernels(within)
        compiled.get_overload = within.get_overload
    return cast(Callable[P, R], compiled)


def for_kernels(within: Any) -> Callable[..., Any]:
    """Return what numba asks for when a kernel calls another: the code for these types of arguments."""

    def get_call_template(args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        wide = {name: widen(argument) for name, argument in kws.items()}
        return within.get_call_template(tuple(widen(argument) for argument in args), wide)

    return get_call_template


def widen(argument: Any) -> Any:
    """A type that fewer variants of a kernel do for: any integer with a sign is a wide one; 0 and 1 are no types."""
    plain: Any = types.unliteral(argument)  # type: ignore[no-untyped-call]
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain  # type: ignore[attr-defined]
