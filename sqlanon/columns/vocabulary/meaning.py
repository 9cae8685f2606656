"""A meaning that names of columns can have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE, OTHER = "identifier", "quasi-identifier", "sensitive", "other"

KEY_WORDS = (
    *("id", "ids", "uid", "guid", "uuid", "identifier", "pseudonym", "hash"),
    *("no", "nr", "nbr", "num", "number", "key", "ref", "sk", "pk"),
)
"""Words behind which a key of something stands: patient_id, employee_no."""


@dataclass(frozen=True)
class Meaning:
    """A meaning of columns: their names, the role that they have, and why.

    `names` are whole names, `words` may be a part of one; both in small letters, with spaces between, and without what
    separates words in a name: `maritalstatus`. `kind` is what values look like by such a name, or "". Numbers must be
    from `low` to `high`, and the column must have `fewest` to `most` different values: or the name means something
    else. `counts_people`: values are people, so that rows with the same value are about the same person.
    """

    role: str
    reason: str
    names: str = ""
    words: str = ""
    kind: str = ""
    low: float | None = None
    high: float | None = None
    fewest: int = 0
    most: int | None = None
    counts_people: bool = False


def keys_of(things: str, key_words: Sequence[str] = KEY_WORDS) -> str:
    """The names of keys of things.

    >>> keys_of("patient client", ["id", "no"])
    'patientid patientno clientid clientno'
    """
    return " ".join(thing + word for thing in things.split() for word in key_words)
