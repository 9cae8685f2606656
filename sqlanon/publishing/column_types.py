"""Types that a policy can pin, in words that hold for CSV, Parquet and tables alike.

>>> kind_of("DECIMAL(10,2)"), kind_of("UINTEGER"), kind_of("ENUM('a', 'b')"), kind_of("INTEGER[]")
('number', 'integer', 'text', None)
>>> KINDS["number"].takes("INTEGER"), KINDS["integer"].takes("DOUBLE")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..arguments import fold
from ..errors import UnsupportedType

INTEGER_TYPES = r"U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|BIGNUM|VARINT"
DAY_SHAPE = r"\d+[-/. ]\w+[-/. ]\d+"
TIME_SHAPE = r"\d+:\d+(?::\d+(?:\.\d+)?)?"


@dataclass(frozen=True)
class Kind:
    """Types that go by one word. `column` is the type of an empty column of CSV, `types` has the names of all that fit.

    With `read`, a column of CSV is read as that type, whatever its cells look like. `shape` is that of a cell.
    """

    column: str
    types: str
    shape: str
    read: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The shape of a cell, compiled."""
        return re.compile(self.shape)

    def takes(self, type_name: str) -> bool:
        """Whether a type of DuckDB goes by this word."""
        return re.fullmatch(self.types, type_name, re.DOTALL) is not None


KINDS = {
    "integer": Kind("BIGINT", INTEGER_TYPES, r"[+-]?(?:0|[1-9]\d*)"),
    "number": Kind(
        "DOUBLE",
        rf"{INTEGER_TYPES}|FLOAT|DOUBLE|DECIMAL\(.*\)",
        r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?i:nan|inf(?:inity)?)",
        read=True,
    ),
    "text": Kind("VARCHAR", r"VARCHAR|ENUM\(.*\)", r"(?s:.*)", read=True),
    "boolean": Kind("BOOLEAN", "BOOLEAN", r"(?i:true|false|t|f)"),
    "date": Kind("DATE", "DATE", DAY_SHAPE),
    "time": Kind("TIME", "TIME(?:_NS)?", TIME_SHAPE),
    "timestamp": Kind("TIMESTAMP", "TIMESTAMP(?:_S|_MS|_NS)?", rf"{DAY_SHAPE}(?:[T ]{TIME_SHAPE})?"),
    "timestamptz": Kind("TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE", rf"{DAY_SHAPE}[T ]{TIME_SHAPE}.*"),
}
"""The kinds by their words in a policy."""


def kind_of(type_name: str) -> str | None:
    """The narrowest word for a type of DuckDB, if there is one."""
    return next((word for word, kind in KINDS.items() if kind.takes(type_name)), None)


def refuse_other_types(described: Sequence[tuple[str, str]], pinned: Mapping[str, str]) -> None:
    """The columns that a policy pins have types that go by its words."""
    words = {fold(name): word for name, word in pinned.items()}
    for name, type_name in described:
        word = words.get(fold(name))
        if word is not None and not KINDS[word].takes(type_name):
            raise UnsupportedType.unlike(name, type_name, word)
