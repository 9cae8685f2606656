"""A small table, a release of it, and pages taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from connections import TestConnection

from sqlanon.certificate import Certificate, certify

QI, SA = ["age", "zip"], "disease"
VOID = {"meta", "br", "link", "img", "input", "hr"}


def make(con: TestConnection) -> Certificate:
    """Make a table of patients with frequent and rare diseases, and a 3-diverse release; return its certificate."""
    con.execute(
        """
        CREATE TABLE patients AS SELECT
            20 + i * 7 % 41 AS age, 'z' || i % 6 AS zip, 'd' || least(i % 5, i % 17) AS disease, i // 2 AS ward
        FROM range(240) AS r(i);
        CREATE TABLE zips AS SELECT DISTINCT zip, zip[1:1] || zip[2:2]::INT % 2 AS half, 'Z' AS every FROM patients;
        CREATE TABLE release AS
            FROM ldiverse('patients', ['age', 'zip'], 'disease', 3, taxonomy := {'zip': 'zips'}, keep := ['ward']);
        """
    )
    arguments = {"l": 3, "taxonomy": {"zip": "zips"}, "keep": ["ward"]}
    return certify(con.connection, "release", QI, SA, function="ldiverse", arguments=arguments, src="patients")


@dataclass
class Page(HTMLParser):
    """A page taken apart: its figures by name, the texts of its charts, all elements, all text."""

    figures: dict[str, str] = field(default_factory=dict)
    charts: dict[str, list[str]] = field(default_factory=dict)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._chart = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag == "data":
            self.figures[str(attributes["data-name"])] = str(attributes["value"])
        elif tag == "figure":
            self._chart = str(attributes["id"])
            self.charts[self._chart] = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "figure":
            self._chart = ""

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._chart and self.elements[-1][0] == "text":
            self.charts[self._chart].append(data)


def read(html: str) -> Page:
    """Take a page apart."""
    page = Page()
    page.feed(html)
    page.close()
    return page


def without_times(html: str) -> str:
    """A page without the moment at which it was made."""
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "", html)
