"""The page of randomized lists: Rating by hand, its script on small tables, and docs/randomize.md is what it wrote."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import sqlanon

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # benchmarks are not installed

from benchmarks.randomize.rating import Rated, rate, reconstruct  # noqa: E402


@pytest.fixture(scope="module")
def report() -> Any:
    """Everything on some hundred rows: two settings, one and two attributes."""
    from benchmarks.randomize.results import Extent, run

    extent = Extent(
        adult_rows=600,
        census_rows=500,
        queries={1: 1, 2: 1},
        l_values={1: (2, 3), 2: (3,)},
        t_values={1: (0.3,), 2: (0.3,)},
        growth_rows=(100, 500),
        timed_l=(2,),
        timed_columns=2,
    )
    with sqlanon.connect() as con:
        return run(con, extent)


def test_rating_deals_rows_with_different_values_into_one_id() -> None:
    rated = rate(np.array([0, 0, 1, 1, 2, 2]), 3, 3, seed=0)
    assert sorted(rated.id_of.tolist()) == [0, 0, 0, 1, 1, 1]
    assert rated.values.all()
    assert reconstruct([rated]).tolist() == pytest.approx([2, 2, 2])


def test_rows_of_a_value_that_is_too_frequent_share_an_id() -> None:
    rated = rate(np.array([0, 0, 0, 0, 1]), 2, 2, seed=0)
    assert rated.id_of.tolist() == [0] * 5
    assert reconstruct([rated]).tolist() == pytest.approx([2.5, 2.5])


@pytest.mark.parametrize("seed", range(5))
def test_a_row_left_over_joins_an_id_that_lacks_its_value(seed: int) -> None:
    codes = np.array([0, 1, 0, 1, 2, 0, 1])
    rated = rate(codes, 3, 2, seed)
    assert sorted(rated.values.sum(axis=1).tolist()) == [2, 2, 3]
    assert rated.values[rated.id_of, codes].all(), "an ID stands for the values of all its rows"
    assert reconstruct([rated]).sum() == pytest.approx(7)


def test_rating_reconstructs_a_row_as_all_combinations_of_its_values() -> None:
    both = Rated(np.array([0, 0]), np.array([[True, True]]))
    exact = Rated(np.array([0, 1]), np.array([[True, False, False], [False, False, True]]))
    assert reconstruct([both, exact]).reshape(2, 3).tolist() == [[0.5, 0, 0.5], [0.5, 0, 0.5]]


def test_rating_refuses_a_column_with_too_few_values() -> None:
    with pytest.raises(ValueError, match="fewer than l = 3 different values"):
        rate(np.array([0, 1, 0]), 2, 3, seed=0)


def test_distances_are_those_of_distribution_distance() -> None:
    from benchmarks.randomize.data import Table
    from benchmarks.randomize.measures import ADDING, BAYES, Requirement, cross_tabulate, distances, measure, publish

    with sqlanon.connect() as con:
        con.execute("CREATE TABLE guests AS SELECT i % 4 AS room, 'd' || i * i % 5 AS diet FROM range(200) AS r(i)")
        table = Table(con, "Guests", "guests")
        release = publish(table, Requirement("l", 2), ("room", "diet"), seed=3)
        by_sql = {each.method: each.distances for each in measure(release, ("room", "diet"), seed=3)}
        truth = table.distribution(("room", "diet"))
        for method in (BAYES, ADDING):
            estimate = cross_tabulate(release, method, ("room", "diet"))
            assert distances(truth, estimate) == pytest.approx(by_sql[method], abs=1e-6)


def test_the_page_has_a_verdict_on_every_statement(report: Any, tmp_path: Path) -> None:
    from benchmarks.randomize.page import write
    from benchmarks.randomize.statements import STATEMENTS

    page = write(report, tmp_path).read_text(encoding="utf-8")
    assert "<!--" not in page
    for statement in STATEMENTS:
        assert re.search(rf"^\| {re.escape(statement.words)}.* \| \**(not )?confirmed\** \| ", page, re.MULTILINE)
    charts = re.findall(r"\]\((images/randomize/\w+\.svg)\)", page)
    assert len(charts) == 6
    for chart in charts:
        assert ElementTree.parse(tmp_path / chart).getroot().tag.endswith("svg")


def test_the_page_in_the_documentation_is_the_one_that_its_script_writes() -> None:
    page = (ROOT / "docs" / "randomize.md").read_text(encoding="utf-8")
    words = (ROOT / "benchmarks" / "randomize" / "page.md").read_text(encoding="utf-8")
    position = 0
    for piece in re.split(r"<!-- [\w ]+ -->", words):
        position = page.index(piece, position) + len(piece)
    assert "<!--" not in page
    pictures = re.findall(r"\]\((images/randomize/\w+\.(?:svg|png))\)", page)
    assert all((ROOT / "docs" / picture).is_file() for picture in pictures)
    [heat_maps] = [picture for picture in pictures if picture.endswith("png")]
    png = (ROOT / "docs" / heat_maps).read_bytes()
    assert png.startswith(b"\x89PNG")
    assert len(png) < 150_000
