"""Names, values and titles are text, whatever they look like."""

from __future__ import annotations

import pytest
from connections import TestConnection

from report.hostile import COLUMNS, SCRIPT, TITLE, VALUES, hostile_report
from report.pages import read

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "section", "div", "p", "h1", "h2", "h3"),
    *(
        "ul",
        "li",
        "b",
        "i",
        "span",
        "small",
        "data",
        "figure",
        "figcaption",
        "svg",
        "g",
        "path",
        "text",
        "line",
        "rect",
    ),
    *("table", "thead", "tbody", "tr", "th", "td", "defs", "clippath"),
}


@pytest.mark.parametrize("public", [True, False])
def test_hostile_names_and_values_are_shown_as_text(
    con: TestConnection, public: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "it has no names.")
    made = hostile_report(con, public)
    page = read(made.html)
    assert made.holds
    assert {tag for tag, _ in page.elements} <= ALLOWED
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "href")], tag
        assert tag == "figure" or "id" not in attributes
    assert SCRIPT not in made.html
    assert TITLE in page.text
    for name in COLUMNS:
        assert name in page.text
    assert "49" not in page.text.split("People might be recognised by")[1].split("rows")[0]
    # bars cut what is too long, but what is left of each value is text
    drawn = " ".join(page.charts["values-0"])
    for value in VALUES[:4]:
        assert value[:9] in drawn
    assert "\u202e" not in made.html
    assert "(missing)" in drawn
    assert "(empty text)" in drawn
