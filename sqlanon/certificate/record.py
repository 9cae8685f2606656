"""The certificate itself: a value, its JSON and its table for a notebook."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

SCHEMA = 1
"""The version of the layout of certificates, which a reader has to know."""

INFINITY = "infinity"
"""How JSON, which has no number for it, writes a measure without bound."""

Number = int | float


@dataclass(frozen=True)
class Certificate:
    """What certify tells of a release. docs/certificate.md says what each field means.

    `bounds` has the bounds that were given, of which those in `promised` have to hold by themselves. `measures` has one
    mapping for each sensitive attribute. `risk` is that of people in the release, None in one that is empty.
    `source_rows` and `loss` are None where no source was given.
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
    measures: tuple[Mapping[str, object], ...]
    risk: Mapping[str, Number | None]
    source_rows: int | None
    loss: Mapping[str, Number | None] | None
    taxonomies: Mapping[str, str]
    content_hash: str

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
            "measures": [{name: _finite(value) for name, value in each.items()} for each in self.measures],
        }
        return plain

    def _repr_html_(self) -> str:
        from .page import certificate_table

        return certificate_table(self)


CREATED = "%Y-%m-%dT%H:%M:%SZ"
"""How the time is written."""


def _finite(value: object) -> object:
    return INFINITY if isinstance(value, float) and math.isinf(value) else value
