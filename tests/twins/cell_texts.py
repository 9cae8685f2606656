"""How a published value reads, by regular expressions."""

from __future__ import annotations

import re
from typing import NamedTuple

NUMBER = re.compile(rb"-?(\d+)(?:\.(\d+))?")
TEXT_RANGE = re.compile(rb"\[([^,]+), ([^,]+)\]", re.DOTALL)
TYPED_RANGE = re.compile(rb"\{'lo': ([^,]+), 'hi': ([^,]+)\}", re.DOTALL)
LIST = re.compile(rb"\{.*, .*\}", re.DOTALL)


class Read(NamedTuple):
    """A form (single, range, list or star), and both ends as numbers with what kind they are; None for no number."""

    form: str
    low: tuple[float, str] | None = None
    high: tuple[float, str] | None = None


def read_text(text: bytes, typed: bool) -> Read:
    """Read one text; a range is {'lo': 1, 'hi': 2} if `typed`, else [1, 2]."""
    if text == b"*":
        return Read("star")
    if found := (TYPED_RANGE if typed else TEXT_RANGE).fullmatch(text):
        if typed and found[1] == b"NULL":
            return Read("star")
        return Read("range", read_number(found[1]), read_number(found[2]))
    if LIST.fullmatch(text):
        return Read("list")
    return Read("single", read_number(text), read_number(text))


def read_number(text: bytes) -> tuple[float, str] | None:
    """Digits, perhaps with a minus and a point; more than 15 of them are left to others."""
    found = NUMBER.fullmatch(text)
    if found is None or len(found[1] + (found[2] or b"")) > 15:
        return None
    return float(text), "whole" if found[2] is None else "decimal"
