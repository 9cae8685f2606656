"""Taxonomies of columns: files, tables of databases, or table functions."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InvalidParameter
from .paths import File, is_file_or_table, read_file_or_table
from .session import Session


def open_taxonomies(session: Session, texts: Mapping[str, str]) -> dict[str, str] | None:
    """Taxonomies by column, as SQL functions take them. Other texts are SQL: adult_taxonomy('education')."""
    taxonomies = {
        column: open_taxonomy(session, text, f"taxonomy_{number}") if is_file_or_table(text) else text
        for number, (column, text) in enumerate(texts.items(), 1)
    }
    return taxonomies or None


def open_taxonomy(session: Session, text: str, name: str) -> str:
    """A text file is read by sqlanon, which knows the layout of ARX; all else is a table."""
    source = read_file_or_table("taxonomy", text)
    if not isinstance(source, File) or not source.path.name.lower().endswith((".csv", ".tsv")):
        return session.open(source, name)
    if "'" in source.pattern:
        raise InvalidParameter(f"taxonomy: the path {str(source.path)!r} has a quote in it.", "Rename the file.")
    return f"'{source.pattern}'"
