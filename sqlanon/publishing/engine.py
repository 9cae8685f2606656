"""The threads and memory that a session may take, and the folder for what does not fit into memory.

>>> read_engine({"threads": 2, "memory_limit": "4GB"})
Engine(threads=2, memory_limit='4GB', temp_directory=None)
>>> read_engine({"memory_limit": "much"})
Traceback (most recent call last):
sqlanon.errors.InvalidParameter: [SA102] memory_limit: 'much' is no amount of memory. Write 8GB, or 512MiB.
"""

from __future__ import annotations

import re
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from ..arguments import text, whole
from ..errors import InvalidParameter, WrongColumn
from .staging import hold_folder, remove_abandoned

Settings = Mapping[str, object]
NO_SETTINGS: Settings = {}
AMOUNT = re.compile(r"\d{1,15}(\.\d{1,9})? ?[KMGT]i?B", re.IGNORECASE)
FOLDER = "sqlanon-temporary-"


@dataclass(frozen=True)
class Engine:
    """The settings of DuckDB that are the user's; it chooses those that are None itself."""

    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: Path | None = None

    def override(self, other: Engine) -> Engine:
        """These settings, but for those that another has."""
        return read_engine({**self.settings, **other.settings})

    @property
    def settings(self) -> dict[str, object]:
        """The settings that are not None."""
        values = {name: getattr(self, name) for name in SETTINGS}
        return {name: value for name, value in values.items() if value is not None}


AUTOMATIC = Engine()
SETTINGS = tuple(field.name for field in fields(Engine))


def read_engine(settings: Settings, folder: Path | None = None) -> Engine:
    """The settings, checked; None is none. Paths are relative to a folder, the current one without it."""
    stated = {name: value for name, value in settings.items() if value is not None}
    threads = whole("threads", stated["threads"], 1, 1024) if "threads" in stated else None
    memory = text("memory_limit", stated["memory_limit"]).strip() if "memory_limit" in stated else None
    if memory is not None and not AMOUNT.fullmatch(memory):
        raise InvalidParameter(f"memory_limit: {memory!r} is no amount of memory.", "Write 8GB, or 512MiB.")
    temporary = None
    if "temp_directory" in stated:
        temporary = (folder or Path.cwd()) / text("temp_directory", str(stated["temp_directory"]))
        if not temporary.is_dir():
            raise WrongColumn(f"temp_directory: there is no folder {str(temporary)!r}.")
    return Engine(threads, memory, temporary)


@contextmanager
def configure(engine: Engine) -> Iterator[dict[str, str]]:
    """Give the settings for DuckDB, with a new folder for temporary files, which is gone in the end."""
    with temporary_folder(engine.temp_directory or Path(tempfile.gettempdir())) as folder:
        yield {name: str(value) for name, value in {**engine.settings, "temp_directory": folder}.items()}


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A folder that its owner alone can enter, for as long as it is needed."""
    for other in parent.glob(f"{FOLDER}*"):
        remove_abandoned(other)
    folder = parent / f"{FOLDER}{secrets.token_hex(8)}"
    with hold_folder(folder, folder):
        yield folder
