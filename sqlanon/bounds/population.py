"""Those whom bounds are about, counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Population:
    """Those whom a release counts, rows or people: how many they are, and, for each sensitive attribute, how many have
    each of its values, the most frequent first.
    """

    noun: str
    size: int
    holders: Sequence[Sequence[int]]
    names: Sequence[str] = ()
    """Of the attributes, where messages name them."""
