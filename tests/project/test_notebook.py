"""The example notebook runs, and what is stored in it is what it shows. Jupyter is not needed for that."""

from __future__ import annotations

import re
from typing import Any

import pytest

from project.notebook import code_cells, outputs, read

NOTEBOOK = read()
CERTIFIED = r"[\d:TZ-]+ by sqlanon [\w.]+"


@pytest.fixture(scope="module")
def fresh() -> list[list[dict[str, Any]]]:
    """The output of the cells now."""
    return list(outputs(NOTEBOOK))


def pages(shown: list[dict[str, Any]]) -> list[str]:
    """The HTML of a cell, but for the time at which a certificate was made, and the version that made it.

    A report is drawn by a library, and looks a little different with each version of it.
    """
    html = ("".join(output["data"]["text/html"]) for output in shown if "data" in output)
    return ["a report" if page.startswith("<iframe") else re.sub(CERTIFIED, "", page) for page in html]


def test_every_cell_shows_what_is_stored(fresh: list[list[dict[str, Any]]]) -> None:
    stored = [cell["outputs"] for cell in code_cells(NOTEBOOK)]
    assert len(stored) > 5
    assert list(map(pages, stored)) == list(map(pages, fresh))


def test_releases_certificates_and_reports_render_by_themselves(fresh: list[list[dict[str, Any]]]) -> None:
    shown = "".join(page for cell in fresh for page in pages(cell))
    assert '<table border="1" class="dataframe">' in shown
    assert "<caption>Certificate of a release</caption>" in shown
    assert "a report" in shown
    assert all(pages(cell) for cell in fresh), "every cell ends with something to look at"


def test_the_notebook_is_a_notebook() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    identifiers = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(identifiers)) == len(identifiers)
    assert [cell["execution_count"] for cell in code_cells(NOTEBOOK)] == list(range(1, len(code_cells(NOTEBOOK)) + 1))
