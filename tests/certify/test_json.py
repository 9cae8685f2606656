"""The JSON of a certificate: readable, strict, the same when it was read."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from sqlanon import errors
from sqlanon.certificate import SCHEMA, Certificate

MEASURES: dict[str, object] = {
    "sa": "disease",
    "k": 3,
    "distinct_l": 3,
    "frequency_l": 3.0,
    "entropy_l": 3.0,
    "unique_distinct_l": None,
    "t": 0.4,
    "t_ordered": None,
    "t_hierarchical": None,
    "alpha": 1 / 3,
    "basic_beta": 0.5,
    "enhanced_beta": None,
    "delta_disclosure": float("inf"),
    "recursive_c": None,
    "tau": None,
    "broken_classes": 0,
    "broken": (),
}
CERTIFICATE = Certificate(
    version="0.1.0",
    created=dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC),
    function="ldiverse",
    arguments={"l": 3, "algo": "incognito", "options": {"suppress": 0.25}, "keep": ["größe"], "entity": "person"},
    qi=("age", "<b>zip</b>"),
    sa=("disease",),
    entity="person",
    nulls="value",
    bounds={"l": 3},
    promised=("l",),
    holds=True,
    broken=(),
    unchecked=(),
    rows=9,
    classes=3,
    groups=3,
    columns=(("age", "VARCHAR"), ("<b>zip</b>", "VARCHAR"), ("disease", "VARCHAR")),
    measures=(MEASURES,),
    risk={"prosecutor": 1 / 3, "marketer": 1 / 3, "alone": 0},
    people={
        "count": 8,
        "measures": ({**MEASURES, "k": 2},),
        "risk": {"prosecutor": 0.5, "marketer": 0.4, "alone": 0},
    },
    kept=({"columns": ("größe",), "unique_rows": 2, "alone_rows": 0, "identifies": False},),
    source_rows=9,
    repeating_identifiers=(),
    taxonomies={"age": "a" * 64},
    content_hash="0" * 64,
)


def edited(*path: str | int, value: object = None, remove: bool = False) -> str:
    """The JSON with another value at one of its paths."""
    plain = json.loads(CERTIFICATE.to_json())
    inner: Any = plain
    for key in path[:-1]:
        inner = inner[key]
    if remove:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return json.dumps(plain)


def test_what_is_written_is_read_again() -> None:
    written = CERTIFICATE.to_json()
    assert Certificate.from_json(written) == CERTIFICATE
    assert Certificate.from_json(written.encode()) == CERTIFICATE
    assert Certificate.from_json(written).to_json() == written


def test_keys_are_sorted_and_the_schema_is_numbered() -> None:
    plain = json.loads(CERTIFICATE.to_json(), object_pairs_hook=list)
    keys = [key for key, _ in plain]
    assert keys == sorted(keys)
    assert dict(plain)["schema"] == SCHEMA
    assert "größe" in CERTIFICATE.to_json()
    assert CERTIFICATE.to_json().endswith("}\n")


REFUSED = {
    "no JSON": "{",
    "no object": "[]",
    "nothing": "",
    "bytes that are no text": b"\xff",
    "another schema": edited("schema", value=SCHEMA + 1),
    "no schema": edited("schema", remove=True),
    "an unknown key": edited("more", value=1),
    "an unknown measure": edited("measures", 0, "more", value=1),
    "a missing measure": edited("measures", 0, "k", remove=True),
    "a loss, which told of rows that were left out": edited("loss", value={"gcp": 0.25}),
    "an unknown measure of people": edited("people", "measures", 0, "more", value=1),
    "people without a count": edited("people", "count", remove=True),
    "people without an entity": edited("entity", value=None),
    "an entity without people": edited("people", value=None),
    "more people than rows": edited("people", "count", value=10),
    "people of another attribute": edited("people", "measures", 0, "sa", value="name"),
    "a text for a kept column": edited("kept", value=["größe"]),
    "a kept column that is no truth": edited("kept", 0, "identifies", value=None),
    "fewer rows in the source": edited("source_rows", value=8),
    "a text for identifiers": edited("repeating_identifiers", value="person"),
    "an unknown risk": edited("risk", "more", value=1),
    "a missing risk": edited("risk", "marketer", remove=True),
    "a text for a risk": edited("risk", "prosecutor", value="low"),
    "no risk": edited("risk", value=None),
    "a seed": edited("arguments", "seed", value=1),
    "a seed in options": edited("arguments", "options", "seed", value=1),
    "arguments that are a list": edited("arguments", value=[]),
    "NaN": CERTIFICATE.to_json().replace("0.25", "NaN"),
    "a number without end": CERTIFICATE.to_json().replace("0.25", "1e999"),
    "a long number": CERTIFICATE.to_json().replace("0.25", "1" * 5000),
    "Infinity": CERTIFICATE.to_json().replace('"infinity"', "Infinity"),
    "a key twice": CERTIFICATE.to_json().replace('"rows":', '"rows": 9, "rows":', 1),
    "a truth for a number": edited("rows", value=True),
    "a text for a number": edited("rows", value="9"),
    "a fraction of a row": edited("rows", value=9.5),
    "rows below 0": edited("rows", value=-1),
    "a text for a measure": edited("measures", 0, "k", value="3"),
    "a number for a truth": edited("holds", value=1),
    "a text for a list": edited("qi", value="age"),
    "a number for a name": edited("qi", value=["age", 3]),
    "no columns": edited("qi", value=[]),
    "half a character": edited("qi", value=["\ud800", "b"]),
    "no hash": edited("content_hash", value="0" * 63),
    "an upper-case hash": edited("taxonomies", "age", value="A" * 64),
    "no time": edited("created", value="yesterday"),
    "a number for a time": edited("created", value=3),
    "an unknown bound": edited("bounds", "x", value=1),
    "an unknown rule for NULL": edited("nulls", value="ignore"),
    "a column that is text": edited("columns", value=["age"]),
    "a promise without a bound": edited("promised", value=["k"]),
    "holds with something broken": edited("broken", value=["l"]),
    "broken with nothing broken": edited("holds", value=False),
    "measures of another attribute": edited("measures", 0, "sa", value="name"),
    "identifiers without rows of the source": edited("source_rows", value=None),
    "a taxonomy of another column": edited("taxonomies", "x", value="a" * 64),
    "a bound that is not that of the call": edited("bounds", "l", value=2),
    "deep arguments": edited("arguments", "options", value=json.loads("[" * 20 + "]" * 20)),
    "deep JSON": "[" * 100_000,
    "a long text": " " * 10_000_001,
}


@pytest.mark.parametrize("what", REFUSED)
def test_anything_else_is_refused(what: str) -> None:
    with pytest.raises(errors.BadCertificate, match=r"^\[SA303\] the certificate"):
        Certificate.from_json(REFUSED[what])


def test_the_table_of_a_notebook_escapes_all_names() -> None:
    page = CERTIFICATE._repr_html_()
    assert page.startswith("<table>") and page.endswith("</table>")
    assert "<b>" not in page and "&lt;b&gt;zip&lt;/b&gt;" in page
    assert CERTIFICATE.content_hash in page and "l = 3" in page and "holds" in page
