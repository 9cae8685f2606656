"""The certificate itself: a value, its JSON and its table for a notebook."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

SCHEMA = 2
"""The version of the layout of certificates, which a reader has to know."""

INFINITY = "infinity"
"""The text for a measure without bound in JSON, which has no number for it."""

Number = int | float


@dataclass(frozen=True)
class Certificate:
    """The certificate of a release. docs/certificate.md says what each field means.

    `bounds` has the bounds that were given, of which those in `promised` have to hold by themselves. `measures` has one
    mapping for each sensitive attribute. `measures` and `risk` count rows; `people` has the same for people, and their
    `count`, where an entity tells them apart, else it is None. `kept` has the columns that are published as they
    are, each, and together all that lead to nobody by themselves. `source_rows` and `repeating_identifiers`, the
    columns of the source that look like identifiers and repeat while nobody named one as entity, are None where no
    source was given.
    """

    version: str
    created: dt.datetime
    function: str | None
    arguments: Mapping[str, object]
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    entity: str | None
    nulls: str
    bounds: Mapping[str, Number]
    promised: tuple[str, ...]
    holds: bool | None
    broken: tuple[str, ...]
    unchecked: tuple[str, ...]
    rows: int
    classes: int
    groups: int | None
    columns: tuple[tuple[str, str], ...]
    measures: tuple[Mapping[str, Any], ...]
    risk: Mapping[str, Number | None]
    people: Mapping[str, Any] | None
    kept: tuple[Mapping[str, Any], ...]
    source_rows: int | None
    repeating_identifiers: tuple[str, ...] | None
    taxonomies: Mapping[str, str]
    content_hash: str

    @property
    def noun(self) -> str:
        """The noun for those who are counted: people, or rows."""
        return "rows" if self.people is None else "people"

    @property
    def strictest_measures(self) -> tuple[Mapping[str, Any], ...]:
        """The measures of people where they were counted, else of rows."""
        return self.measures if self.people is None else self.people["measures"]

    @property
    def strictest_risk(self) -> Mapping[str, Number | None]:
        """The risk of people where they were counted, else of rows."""
        return self.risk if self.people is None else self.people["risk"]

    @property
    def suppressed_rows(self) -> int | None:
        """The rows of the source that were left out."""
        return None if self.source_rows is None else self.source_rows - self.rows

    @property
    def identifying_columns(self) -> tuple[str, ...]:
        """The columns that are published as they are, and lead to people, each by itself or together."""
        return tuple(sorted({name for each in self.kept if each["identifies"] for name in each["columns"]}))

    @property
    def narrowing_columns(self) -> tuple[str, ...]:
        """Further columns that are published as they are, and by which most rows are alone in their class, each by
        itself or together.
        """
        most = (name for each in self.kept if each["alone_rows"] * 2 > self.rows for name in each["columns"])
        return tuple(sorted({*most} - {*self.identifying_columns}))

    def to_json(self) -> str:
        """JSON to read and to keep: keys in order, one per line."""
        return json.dumps(self.as_plain(), indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Certificate:
        """Read what to_json wrote. SA303 for anything else: no key may be missing, unknown or of another type."""
        from .reading import read_certificate

        return cls(**read_certificate(text))

    def as_plain(self) -> dict[str, object]:
        """The certificate in the types that JSON has."""
        plain: dict[str, object] = {field.name: getattr(self, field.name) for field in fields(self)}
        plain |= {
            "schema": SCHEMA,
            "created": self.created.astimezone(dt.UTC).strftime(CREATED),
            "columns": [{"name": name, "type": kind} for name, kind in self.columns],
            "measures": finite(self.measures),
            "people": None if self.people is None else {**self.people, "measures": finite(self.people["measures"])},
        }
        return plain

    def _repr_html_(self) -> str:
        from .page import certificate_table

        return certificate_table(self)


CREATED = "%Y-%m-%dT%H:%M:%SZ"
"""The format of the time."""


def finite(measures: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Measures as JSON has them."""
    return [{name: _finite(value) for name, value in each.items()} for each in measures]


def _finite(value: object) -> object:
    return INFINITY if isinstance(value, float) and math.isinf(value) else value
