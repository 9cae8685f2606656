"""Keys of a policy: those that are not known are errors, which say what may have been meant.

>>> suggest_closest("senstive", ("identifier", "sensitive"))
"Did you mean 'sensitive'? Known are: identifier, sensitive."
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from ..arguments import type_name
from ..errors import InvalidParameter


def known_keys(where: str, table: Mapping[str, object], known: Collection[str]) -> None:
    """Refuse a key that is not known."""
    for key in table:
        if key not in known:
            raise InvalidParameter(
                f"{where} has the key {str(key)!r}, which is not known.", suggest_closest(str(key), known)
            )


def suggest_closest(word: str, known: Collection[str]) -> str:
    """A hint with the known word that is closest, and all known words."""
    matches = get_close_matches(word.lower(), known, 1, 0.5)
    meant = f"Did you mean {matches[0]!r}? " if matches else ""
    return f"{meant}Known are: {', '.join(known)}."


def table_of(name: str, value: object) -> Mapping[str, object]:
    """A table of the policy."""
    if not isinstance(value, Mapping):
        raise InvalidParameter(f"{name} must be a table, not {type_name(value)}.", f"Write [{name}].")
    return value
