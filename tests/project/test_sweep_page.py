"""The page of the paper's experiments: its script runs on a small table, and docs/sweep.md is what it wrote."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import sqlanon

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def report() -> Any:
    """A small table with two quasi-identifiers and three sensitive values, searched and measured."""
    sys.path.insert(0, str(ROOT))  # benchmarks are not installed
    from benchmarks.sweep.data import Experiment, Rules
    from benchmarks.sweep.measures import Effort
    from benchmarks.sweep.methods import Laboratory
    from benchmarks.sweep.page import Report, SkewedRelease
    from benchmarks.sweep.results import run

    con = sqlanon.connect()
    con.execute(
        """
        CREATE TABLE guests AS
        SELECT i AS id, 'c' || i * 7 % 4 AS city, 'd' || i * 5 % 3 AS diet,
            ['flu', 'flu', 'flu', 'cough', 'cough', 'burn'][1 + i * 5 % 6] AS illness
        FROM range(90) AS r(i)
        """
    )
    rules = Rules(("city", "diet"), "illness", 0.5, 5, in_paper=0)
    settings = ((0.6, 2), (0.4, 3))
    experiment = Experiment("Guests", "guests", ("city", "diet"), "illness", settings, settings[0], rules)
    results = run(Laboratory(con, experiment, (10_000,)), Effort(folds=2, queries=3))
    con.close()
    skewed = [SkewedRelease("Guests", 90, 2, 3, (0.5, 2), 0.8, 0.9, 0.1)]
    return Report([results], skewed, [("Guests", "illness", 3, 2, 2)], "90 rows.")


def test_the_page_has_a_verdict_on_every_statement(report: Any, tmp_path: Path) -> None:
    from benchmarks.sweep.page import write
    from benchmarks.sweep.statements import STATEMENTS

    page = write(report, tmp_path).read_text(encoding="utf-8").replace("\n  ", " ")  # long items go on in the next line
    assert "<!--" not in page
    for statement in STATEMENTS:
        assert re.search(rf"^\* \*\*(not )?confirmed\*\* {re.escape(statement.words)}", page, re.MULTILINE)
    pictures = re.findall(r"\]\((images/sweep/\w+\.svg)\)", page)
    assert len(pictures) == 9
    for picture in pictures:
        assert ElementTree.parse(tmp_path / picture).getroot().tag.endswith("svg")


def test_releases_are_chosen_among_those_that_satisfy_the_requirement(report: Any) -> None:
    [results] = report.results
    weak, strong = results.outcomes.values()
    assert all(outcome.choice.excess >= 0 for outcome in weak.values())
    assert weak["SWEEP"].worth.information > 0.5
    assert strong["SWEEP"].choice.release is not None
    assert strong["1DLD"].choice.release is None, "half of the rows have the flu"


def test_ranks_correlate_as_spearman_has_it(report: Any) -> None:
    from benchmarks.sweep.statements import rank_correlation

    assert rank_correlation([1, 2, 3, 4], [10, 20, 30, 90]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert rank_correlation([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(0.9487, abs=1e-4)
    assert rank_correlation([1, 1, 1], [1, 2, 3]) == 0


def test_the_page_in_the_documentation_is_the_one_that_its_script_writes() -> None:
    page = (ROOT / "docs" / "sweep.md").read_text(encoding="utf-8")
    words = (ROOT / "benchmarks" / "sweep" / "page.md").read_text(encoding="utf-8")
    position = 0
    for piece in re.split(r"<!-- [\w ]+ -->", words):
        position = page.index(piece, position) + len(piece)
    assert "<!--" not in page
    for picture in re.findall(r"\]\((images/sweep/\w+\.svg)\)", page):
        assert (ROOT / "docs" / picture).is_file()
