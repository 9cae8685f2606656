"""Texts with blanks, which only the running statement can fill in: the words of an error, or of an advice.

>>> words = f"column {blank('name')} has {blank('number')} values"
>>> fill_blanks(words, name=exp.column("n"), number=exp.column("k")).sql("duckdb")
"'column ' || n || ' has ' || k || ' values'"
"""

from __future__ import annotations

import re
from functools import reduce

from sqlglot import exp

from .template import text

BLANK = re.compile(r"'?<sqlanon:(\w+)>'?")
"""A blank, and the quotes that a message puts around the name of a column: who fills it in writes them."""


def blank(name: str) -> str:
    """A blank in a text."""
    return f"<sqlanon:{name}>"


def fill_blanks(words: str, **parts: exp.Expr) -> exp.Expr:
    """A text as an expression, with the parts in its blanks."""
    pieces = [parts[piece] if i % 2 else text(piece) for i, piece in enumerate(BLANK.split(words)) if i % 2 or piece]
    return reduce(lambda one, other: exp.DPipe(this=one, expression=other.copy(), safe=True), pieces)
