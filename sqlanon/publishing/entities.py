"""People with several rows: identifiers of a table that repeat."""

from __future__ import annotations

from collections.abc import Sequence

PERSON = "person id"
"""Patterns of keys of people; others that repeat may be keys of something else."""


def possible_entities(described: Sequence[dict[str, object]]) -> list[str]:
    """The columns that may be the entity, of what `columns` says; those that are surely people come first."""
    repeating = [one for one in described if one["entity"]]
    return [str(one["column"]) for one in sorted(repeating, key=lambda one: one["looks_like"] != PERSON)]
