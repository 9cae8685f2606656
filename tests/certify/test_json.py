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


def edit_certificate(*path: str | int, value: object = None, remove: bool = False) -> str:
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
    "another schema": edit_certificate("schema", value=SCHEMA + 1),
    "no schema": edit_certificate("schema", remove=True),
    "an unknown key": edit_certificate("more", value=1),
    "an unknown measure": edit_certificate("measures", 0, "more", value=1),
    "a missing measure": edit_certificate("measures", 0, "k", remove=True),
    "a loss, which told of rows that were left out": edit_certificate("loss", value={"gcp": 0.25}),
    "an unknown measure of people": edit_certificate("people", "measures", 0, "more", value=1),
    "people without a count": edit_certificate("people", "count", remove=True),
    "people without an entity": edit_certificate("entity", value=None),
    "an entity without people": edit_certificate("people", value=None),
    "more people than rows": edit_certificate("people", "count", value=10),
    "people of another attribute": edit_certificate("people", "measures", 0, "sa", value="name"),
    "a text for a kept column": edit_certificate("kept", value=["größe"]),
    "a kept column that is no truth": edit_certificate("kept", 0, "identifies", value=None),
    "fewer rows in the source": edit_certificate("source_rows", value=8),
    "a text for identifiers": edit_certificate("repeating_identifiers", value="person"),
    "an unknown risk": edit_certificate("risk", "more", value=1),
    "a missing risk": edit_certificate("risk", "marketer", remove=True),
    "a text for a risk": edit_certificate("risk", "prosecutor", value="low"),
    "no risk": edit_certificate("risk", value=None),
    "a seed": edit_certificate("arguments", "seed", value=1),
    "a seed in options": edit_certificate("arguments", "options", "seed", value=1),
    "arguments that are a list": edit_certificate("arguments", value=[]),
    "NaN": CERTIFICATE.to_json().replace("0.25", "NaN"),
    "a number without end": CERTIFICATE.to_json().replace("0.25", "1e999"),
    "a long number": CERTIFICATE.to_json().replace("0.25", "1" * 5000),
    "Infinity": CERTIFICATE.to_json().replace('"infinity"', "Infinity"),
    "a key twice": CERTIFICATE.to_json().replace('"rows":', '"rows": 9, "rows":', 1),
    "a truth for a number": edit_certificate("rows", value=True),
    "a text for a number": edit_certificate("rows", value="9"),
    "a fraction of a row": edit_certificate("rows", value=9.5),
    "rows below 0": edit_certificate("rows", value=-1),
    "a text for a measure": edit_certificate("measures", 0, "k", value="3"),
    "a number for a truth": edit_certificate("holds", value=1),
    "a text for a list": edit_certificate("qi", value="age"),
    "a number for a name": edit_certificate("qi", value=["age", 3]),
    "no columns": edit_certificate("qi", value=[]),
    "half a character": edit_certificate("qi", value=["\ud800", "b"]),
    "no hash": edit_certificate("content_hash", value="0" * 63),
    "an upper-case hash": edit_certificate("taxonomies", "age", value="A" * 64),
    "no time": edit_certificate("created", value="yesterday"),
    "a number for a time": edit_certificate("created", value=3),
    "an unknown bound": edit_certificate("bounds", "x", value=1),
    "an unknown rule for NULL": edit_certificate("nulls", value="ignore"),
    "a column that is text": edit_certificate("columns", value=["age"]),
    "a promise without a bound": edit_certificate("promised", value=["k"]),
    "holds with something broken": edit_certificate("broken", value=["l"]),
    "broken with nothing broken": edit_certificate("holds", value=False),
    "measures of another attribute": edit_certificate("measures", 0, "sa", value="name"),
    "identifiers without rows of the source": edit_certificate("source_rows", value=None),
    "a taxonomy of another column": edit_certificate("taxonomies", "x", value="a" * 64),
    "a bound that is not that of the call": edit_certificate("bounds", "l", value=2),
    "deep arguments": edit_certificate("arguments", "options", value=json.loads("[" * 20 + "]" * 20)),
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
