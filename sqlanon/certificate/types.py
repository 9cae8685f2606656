"""The types that columns had before a file without types took them for text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..arguments import fold
from .record import Certificate

SCALAR = (
    r"(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d{1,2},\d{1,2}\)|DATE|TIME|BOOLEAN|VARCHAR|UUID"
    r"|TIMESTAMP(?:_S|_MS|_NS| WITH TIME ZONE)?|INTERVAL)"
)
READABLE = re.compile(rf"{SCALAR}(?:\[\])?|STRUCT\(lo ({SCALAR}), hi \1\)")
"""The types that a release may have, alone, in a list, or as a range. What else a certificate may claim is not used."""


def lost_types(certificate: Certificate, columns: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    """The columns that are judged and are text here, but were of another type when the release was certified."""
    certified = {fold(name): kind for name, kind in certificate.columns}
    kept = (name for each in certificate.kept for name in each["columns"])
    judged = {fold(name) for name in (*certificate.qi, *certificate.sa, *kept)}
    pairs = ((column["name"], column["type"], certified.get(fold(column["name"]), "VARCHAR")) for column in columns)
    return [
        (name, before)
        for name, now, before in pairs
        if fold(name) in judged and now == "VARCHAR" and before != "VARCHAR" and READABLE.fullmatch(before)
    ]
