"""Published values read from bytes, against a twin of regular expressions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.cell_texts import read_texts
from twins.cell_texts import Read, read_text

from .tables import quickly

FORMS = ("single", "range", "list", "star")
KINDS = (None, "whole", "decimal")

numbers = st.integers(-(10**16), 10**16).map(str) | st.decimals(allow_nan=False, places=3).map(str) | st.just("-")
pieces = st.sampled_from(
    ["[", "]", "{", "}", ", ", ",", " ", "*", "'lo': ", "'hi': ", "NULL", "-", ".", "7", "é", "1e5"]
)
ends = numbers | pieces
texts = st.one_of(
    numbers,
    st.lists(pieces | numbers, max_size=6).map("".join),
    st.tuples(ends, ends).map(lambda both: f"[{both[0]}, {both[1]}]"),
    st.tuples(ends, ends).map(lambda both: f"{{'lo': {both[0]}, 'hi': {both[1]}}}"),
    st.lists(ends, min_size=1, max_size=3).map(lambda items: "{" + ", ".join(items) + "}"),
)


def read(given_texts: list[str], typed: bool) -> list[Read]:
    encoded = [text.encode() for text in given_texts]
    offsets = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    found = read_texts(np.frombuffer(b"".join(encoded), np.uint8), offsets, typed)
    by_text = zip(found.form, found.low, found.low_kind, found.high, found.high_kind, strict=True)
    return [
        Read(FORMS[form], *((end, KINDS[kind]) if kind else None for end, kind in ((low, one), (high, other))))
        for form, low, one, high, other in by_text
    ]


@quickly
@given(st.lists(texts, max_size=8), st.booleans())
def test_texts_are_read_as_their_twin_reads_them(given_texts: list[str], typed: bool) -> None:
    expected = [read_text(text.encode(), typed) for text in given_texts]
    found = read(given_texts, typed)
    assert [each.form for each in found] == [each.form for each in expected]
    told = [(one, other) for one, other in zip(found, expected, strict=True) if one.form in ("single", "range")]
    assert [one for one, _ in told] == [other for _, other in told]


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ("*", False, Read("star")),
        ("[30, 45]", False, Read("range", (30.0, "whole"), (45.0, "whole"))),
        ("[-0.5, 1.25]", False, Read("range", (-0.5, "decimal"), (1.25, "decimal"))),
        ("[2024-02-29, 2024-03-01]", False, Read("range")),
        ("{flu, gout}", False, Read("list")),
        ("{flu}", False, Read("single")),
        ("{a,b, c}", False, Read("list")),
        ("[1, 2, 3]", False, Read("single")),
        ("[, 2]", False, Read("single")),
        ("", False, Read("single")),
        ("-", False, Read("single")),
        ("5.", False, Read("single")),
        (".5", False, Read("single")),
        ("123456789012345", False, Read("single", (123456789012345.0, "whole"), (123456789012345.0, "whole"))),
        ("1234567890123456", False, Read("single")),
        ("{'lo': 1, 'hi': 2}", True, Read("range", (1.0, "whole"), (2.0, "whole"))),
        ("{'lo': NULL, 'hi': NULL}", True, Read("star")),
        ("{'lo': '10:00:00', 'hi': '11:00:00'}", True, Read("range")),
    ],
)
def test_a_text_is_read_as_it_reads(text: str, typed: bool, expected: Read) -> None:
    assert read([text], typed) == [expected]
    assert read(["x", text, "[1, 2]"], typed)[1] == expected
