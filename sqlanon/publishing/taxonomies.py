"""Taxonomies of columns: files, tables of databases, or table functions."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InvalidParameter
from .places import File, is_place, read_place
from .session import Session


def open_taxonomies(session: Session, texts: Mapping[str, str]) -> dict[str, str] | None:
    """Taxonomies by column, as SQL functions take them. What is no place is SQL: adult_taxonomy('education')."""
    taxonomies = {
        column: open_taxonomy(session, text, f"taxonomy_{number}") if is_place(text) else text
        for number, (column, text) in enumerate(texts.items(), 1)
    }
    return taxonomies or None


def open_taxonomy(session: Session, text: str, name: str) -> str:
    """A text file is read by sqlanon, which knows the layout of ARX; all else is a table."""
    place = read_place("taxonomy", text)
    if not isinstance(place, File) or not place.path.name.lower().endswith((".csv", ".tsv")):
        return session.open(place, name)
    if "'" in place.pattern:
        raise InvalidParameter(f"taxonomy: the path {str(place.path)!r} has a quote in it.", "Rename the file.")
    return f"'{place.pattern}'"
