"""Names and texts as SQL has them."""

from __future__ import annotations


def quote(name: str) -> str:
    """A name as an identifier."""
    from ..statement.template import identifier  # here, because it brings sqlglot

    return identifier(name).sql("duckdb")


def literal(value: str) -> str:
    """A text as a literal."""
    from ..statement.template import text

    return text(value).sql("duckdb")
