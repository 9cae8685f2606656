"""The path of a file until it gets its name: a folder beside it that its owner alone can enter.

The name of the folder follows from that of the file, and a run locks it. So two runs never write the same file at once,
and the next run that writes beside it, whatever file, removes what one that was killed has left behind.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import logging
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InvalidParameter
from .paths import follow
from .postponing import postpone_signals

if sys.platform != "win32":
    import fcntl

PREFIX = ".sqlanon-"
FOLDER = re.compile(re.escape(PREFIX) + "[0-9a-f]{16}")
OWNER_ONLY = 0o700

PATIENCE = 1.0
"""Seconds to wait for the lock of a folder: another run may be looking whether it was left behind."""

_log = logging.getLogger("sqlanon")
_held: dict[int, Path] = {}
"""The folders of this process, by the handles that lock them."""


@contextmanager
def staging(path: Path) -> Iterator[Path]:
    """An empty path of the same name in the folder of a file, which nobody else has meanwhile.

    The folder is beside the file that a symlink leads to: that is the one to be replaced, and links stay.
    """
    folder = staging_folder(follow(path))
    with hold_folder(folder, path):
        with postpone_signals():
            remove_leftovers(folder)
        yield folder / path.name


@contextmanager
def hold_folder(folder: Path, path: Path) -> Iterator[None]:
    """A folder, made if need be, that this process has for itself; it is gone in the end. `path` is for messages."""
    handle = None
    try:
        with postpone_signals():
            handle = lock_folder(folder, path)
            _held[handle] = folder
        yield
    finally:
        if handle is not None:
            remove_folder(handle)


def remove_folder(handle: int) -> None:
    """Remove a folder of this process. The system unlocks it when the process ends, whatever ended it."""
    with postpone_signals():
        shutil.rmtree(_held.pop(handle), ignore_errors=True)
        os.close(handle)


@atexit.register
def remove_all_folders() -> None:
    """Remove the folders that a signal has left: one that came between two lines of Python."""
    for handle in list(_held):
        remove_folder(handle)


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_held.clear)


def staging_folder(path: Path) -> Path:
    """The folder of a file. Its name is short, however long that of the file is."""
    digest = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    return path.with_name(f"{PREFIX}{digest}")


def lock_folder(folder: Path, path: Path) -> int:
    """Lock a folder, made if need be; return its open handle."""
    until = time.monotonic() + PATIENCE
    while True:
        folder.mkdir(mode=OWNER_ONLY, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):  # another run has just removed it
            handle = try_lock(folder)
            if handle is not None:
                return handle
        if time.monotonic() > until:
            raise InvalidParameter(f"another run is writing {str(path)!r}.", "Wait until it has ended.")
        time.sleep(0.01)


def try_lock(folder: Path) -> int | None:
    """Lock a folder that is there; return its open handle, or None if another run has it, or has removed it."""
    if sys.platform == "win32":  # no folder can be locked there, but no file is replaced that is open
        return os.open(os.devnull, os.O_RDONLY)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        refuse_foreign_folder(handle, folder)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_same_folder(handle, folder):
            os.fchmod(handle, OWNER_ONLY)
            return handle
    except BlockingIOError:
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def is_same_folder(handle: int, folder: Path) -> bool:
    """Whether the folder that was opened is the one that bears the name: the run before may have removed it."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), folder.stat())
    return False


def refuse_foreign_folder(handle: int, folder: Path) -> None:
    """Refuse a folder that somebody else has made."""
    if os.fstat(handle).st_uid != os.geteuid():
        raise InvalidParameter(f"the folder {str(folder)!r} belongs to somebody else.", "Remove it first.")


def remove_leftovers(folder: Path) -> None:
    """Remove what runs that were killed have left behind, in this folder and in those beside it."""
    for leftover in folder.iterdir():
        if leftover.is_dir() and not leftover.is_symlink():
            shutil.rmtree(leftover)
        else:
            leftover.unlink()
    for other in folder.parent.glob(f"{PREFIX}*"):
        if FOLDER.fullmatch(other.name):
            remove_abandoned(other)


def remove_abandoned(folder: Path) -> None:
    """Remove a folder that no run has locked."""
    if sys.platform == "win32":  # no folder is locked there
        return
    with contextlib.suppress(OSError, InvalidParameter):  # it is no folder, or somebody else's
        if (handle := try_lock(folder)) is not None:
            _held[handle] = folder
            remove_folder(handle)


def flush(path: Path) -> None:
    """Have the disk write a file: what is renamed before that may be empty after a power cut."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def take_name(staged: Path, path: Path) -> None:
    """Give a file its name; where that is a symlink, the file that it leads to is replaced."""
    flush(staged)
    staged.replace(follow(path))


def keep_owner(staged: Path, path: Path) -> None:
    """Give a file the mode, the owner and the group of the one that it will replace, if there is one.

    Where only root could, there is a warning, and a group that may not be kept reads nothing.
    """
    try:
        replaced = path.stat()
    except FileNotFoundError:
        return
    mode = stat.S_IMODE(replaced.st_mode)
    if sys.platform != "win32":
        now = staged.stat()
        if now.st_gid != replaced.st_gid and not change_owner(staged, -1, replaced.st_gid):
            mode &= ~stat.S_IRWXG
        if now.st_uid != replaced.st_uid and not change_owner(staged, replaced.st_uid, -1):
            _log.warning("%r belonged to somebody else; now it is yours, as only root could keep that", path.name)
    staged.chmod(mode)  # last: a change of owner may take bits away


def change_owner(path: Path, user: int, group: int) -> bool:
    """Whether a file could be given to a user or a group; -1 is the one that it has."""
    try:
        os.chown(path, user, group)
    except PermissionError:
        return False
    return True
