"""The public SQL surface: macros, one concern per file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

ORDER = ("types.sql", "recode.sql", "release.sql", "datasets.sql")
"""A macro may use the macros of the files before its own."""


def macros(paths: Mapping[str, str]) -> list[str]:
    """Return the text of every macro file, with each $name inside a text literal replaced by its path."""
    texts = []
    for name in ORDER:
        text = (files(__name__) / name).read_text(encoding="utf-8")
        for placeholder, path in paths.items():
            text = text.replace(f"${placeholder}", path.replace("'", "''"))
        texts.append(text)
    return texts
