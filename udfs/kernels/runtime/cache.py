"""Where compiled kernels are kept: in the user's cache directory, so that nothing appears beside the installed package.

numba can do that for a whole process only, which would move the caches of other libraries as well. So kernels have a
cache of this module's kind. It has no index: each function and signature has a file, whose directory is named after all
that the machine code was made from. Processes of different versions, or several at once, never see each other's code.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from sqlanon.version import __version__

_log = logging.getLogger("sqlanon")

REMEDY = "Set NUMBA_CACHE_DIR to a directory that can be written and has room for 20 MB."

compiled: list[str] = []
"""The kernels that this process compiled, because they were not in the cache."""

KERNELS = __package__.rpartition(".")[0]
"""The package of all kernels."""


class KernelCache(_Cache):
    """The machine code of one kernel on disk. A cache that cannot be read or written is never a reason to fail."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__.removeprefix(f'{KERNELS}.')}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        """Return the directory."""
        return str(directory())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for these types on a machine of this kind; None if it has to be compiled."""
        target_context.refresh()
        key = self._key(sig, target_context)
        try:
            for_key, code = pickle.loads(self._file(key).read_bytes())
            if for_key == key:
                return CompileResult._rebuild(target_context, *code)  # type: ignore[no-untyped-call]
        except Exception:  # a file that is not there, or was cut short by a crash, fails in many ways
            _log.debug("%s is not in the cache", self._name, exc_info=True)
        compiled.append(self._name)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for these types; if that fails, say so once."""
        if data.library.has_dynamic_globals:  # addresses of this process
            return
        key = self._key(sig, data.target_context)
        try:
            replace_file(self._file(key), dumps((key, data._reduce())))  # type: ignore[no-untyped-call]
        except (OSError, RuntimeError) as problem:
            warn_unkept(reason(problem))

    def _key(self, sig: Any, target_context: Any) -> str:
        return repr((str(sig), target_context.codegen().magic_tuple()))

    def _file(self, key: str) -> Path:
        return directory() / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.nbc"

    def enable(self) -> None:
        """Do nothing: it always is."""

    def disable(self) -> None:
        """Do nothing: numba never asks."""

    def flush(self) -> None:
        """Do nothing: other processes may be reading."""


def directory() -> Path:
    """Return the directory for this version of sqlanon, Python, numba and the kernels' source.

    RuntimeError if the user has no home directory.
    """
    stated: str = config.CACHE_DIR  # type: ignore[attr-defined]
    base = Path(stated) if stated else user_caches()
    return base / "sqlanon" / f"{__version__}-{sys.implementation.cache_tag}-{source_digest()}"


def user_caches() -> Path:
    """Return where programs of this user keep what they can make again."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    stated = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if stated.is_absolute():
        return stated
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


@functools.cache
def source_digest() -> str:
    """Return a name for the source of all kernels, as one is compiled into another, and for the compiler."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sources(resources.files(KERNELS)):
        digest.update(source)
    return digest.hexdigest()[:12]


def sources(folder: Traversable) -> Iterator[bytes]:
    """Yield the text of each module in a folder and in those inside it, in the order of their names."""
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from sources(item)
        elif item.name.endswith(".py"):
            yield item.name.encode() + item.read_bytes()


def replace_file(file: Path, content: bytes) -> None:
    """Write a file that others see whole or not at all."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as written:
            written.write(content)
        Path(name).replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


@functools.cache
def warn_unkept(why: str) -> None:
    """Say once why each process has to compile anew."""
    _log.warning("compiled kernels cannot be kept for the next process: %s. %s", why, REMEDY)


def why_unkept() -> str | None:
    """Return why nothing can be kept, or None. Whether the disk has room shows only later."""
    try:
        replace_file(directory() / "writable", b"")
    except (OSError, RuntimeError) as problem:
        return reason(problem)
    return None


def reason(problem: Exception) -> str:
    """Return what went wrong, without a path: a path may say who the user is."""
    if isinstance(problem, OSError):
        return (problem.strerror or type(problem).__name__).lower()
    return "there is no home directory"
