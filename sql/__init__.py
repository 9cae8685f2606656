"""The public SQL surface: macros, one concern per file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

ORDER = (
    "types.sql",
    "recode.sql",
    "release.sql",
    "verify.sql",
    "evaluate.sql",
    "estimate.sql",
    "search.sql",
    "datasets.sql",
)
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


@cache
def relation_names() -> frozenset[str]:
    """The relations of verify/, each in a file of its own; `given`, the rows to judge, is not among them."""
    return frozenset(file.name.removesuffix(".sql") for file in (files(__name__) / "verify").iterdir())


@cache
def relation_text(name: str) -> str:
    """The SELECT of a relation of verify/, with the comment that defines it."""
    return (files(__name__) / "verify" / f"{name}.sql").read_text(encoding="utf-8")
