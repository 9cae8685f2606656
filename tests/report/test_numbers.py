"""Every number of a report is that of a SQL function."""

from __future__ import annotations

from typing import Any

import pytest
from connections import TestConnection

from report.pages import QI, SA, Page, make, read
from sqlanon.report import report
from sqlanon.report.words import percent

TREES = "taxonomy := {'zip': 'zips'}"


@pytest.fixture(scope="module")
def page(con: TestConnection) -> Page:
    certificate = make(con)
    made = report(con.connection, "release", QI, SA, src="patients", certificate=certificate, taxonomy={"zip": "zips"})
    assert made.holds
    return read(made.html)


def row(con: TestConnection, sql: str) -> dict[str, Any]:
    answer = con.execute(sql)
    names = [column[0] for column in answer.description]
    return dict(zip(names, answer.fetchone(), strict=True))


@pytest.mark.parametrize(("side", "table"), [("before", "patients"), ("after", "release")])
def test_risk_is_that_of_the_function(con: TestConnection, page: Page, side: str, table: str) -> None:
    risk = row(con, f"FROM risk('{table}', {QI})")
    assert float(page.figures[f"{side} k"]) == risk["smallest_class"]
    assert float(page.figures[f"{side} prosecutor"]) == risk["prosecutor"]
    assert float(page.figures[f"{side} marketer"]) == risk["marketer"]


@pytest.mark.parametrize(("side", "table"), [("before", "patients"), ("after", "release")])
def test_measures_are_those_of_privacy(con: TestConnection, page: Page, side: str, table: str) -> None:
    measured = row(con, f"FROM privacy('{table}', {QI}, '{SA}')")
    named = {name: value for name, value in measured.items() if f"{side} privacy.{name}" in page.figures}
    assert {"rows", "classes", "k", "frequency_l", "entropy_l", "t", "alpha"} <= set(named)
    for name, value in named.items():
        assert page.figures[f"{side} privacy.{name}"] == ("" if value is None else str(value)), name


def test_loss_is_that_of_the_functions(con: TestConnection, page: Page) -> None:
    whole = row(con, f"FROM info_loss('patients', 'release', {QI}, {TREES})")
    assert float(page.figures["after gcp"]) == three_digits(whole["gcp"])
    assert int(page.figures["after suppressed_rows"]) == whole["suppressed_rows"]
    columns = con.rows(f"SELECT ncp FROM attribute_loss('patients', 'release', {QI}, {TREES})")
    assert [float(page.figures[f"ncp {number}"]) for number in range(len(QI))] == [
        three_digits(ncp) for (ncp,) in columns
    ]
    assert {percent(three_digits(ncp)) for (ncp,) in columns} <= set(page.charts["loss"])


def three_digits(value: float) -> float:
    return float(f"{value:.3g}")


def test_errors_are_those_of_count_query_error(con: TestConnection, page: Page) -> None:
    [(median, nine_tenths, small)] = con.rows(
        f"""
        SELECT quantile_cont(relative_error, 0.5), quantile_cont(relative_error, 0.9),
            count(*) FILTER (relative_error <= 0.01) / count(*)
        FROM count_query_error('patients', 'release', {QI}, '{SA}', 3, queries := 200, {TREES})
        WHERE relative_error IS NOT NULL
        """
    )
    assert float(page.figures["after median_error"]) == median
    assert f"off by {percent(median)} or less, nine of ten by {percent(nine_tenths)} or less" in page.text
    assert page.charts["errors-0"][0] == percent(small)


def test_bars_of_class_sizes_are_shares_of_rows(con: TestConnection, page: Page) -> None:
    bins = "CASE WHEN size < 3 THEN size WHEN size < 5 THEN 3 WHEN size < 10 THEN 5 ELSE 10 END"
    for series, table in enumerate(("patients", "release")):
        counted = con.rows(f"SELECT {bins} AS bin, sum(share) FROM risk_by_size('{table}', {QI}) GROUP BY 1")
        shares = dict(counted)
        texts = page.charts["class-sizes"]
        labels = [text for text in texts if not text.endswith("%")]
        bars = [text for text in texts if text.endswith("%")][series * len(labels) :][: len(labels)]
        starts = {"alone": 1, "2 rows": 2, "3 – 4 rows": 3, "5 – 9 rows": 5, "10 – 19 rows": 10}
        assert bars == [percent(shares.get(starts[label], 0)) for label in labels]


def test_bars_of_mixture_are_rows_by_the_largest_share_in_their_class(con: TestConnection, page: Page) -> None:
    certain = f"""
        SELECT sum(size) FILTER (top_count > 0.99 * size) / sum(size) FROM equivalence_classes('patients', {QI}, '{SA}')
    """
    [(share,)] = con.rows(certain)
    assert f"In the source, {percent(share)} of the rows are in classes that one value has to itself" in page.text
    assert percent(share) in page.charts["guess-0"]
    at_most_a_third = "top_count * 3 <= size AND top_count * 5 > size"
    [(share,)] = con.rows(
        f"SELECT sum(size) FILTER ({at_most_a_third}) / sum(size) FROM equivalence_classes('release', {QI}, '{SA}')"
    )
    assert percent(share) in page.charts["guess-0"]


def test_the_distribution_is_that_of_buckets(con: TestConnection, page: Page) -> None:
    values = con.rows(f"SELECT value, share FROM buckets('patients', '{SA}') ORDER BY rank")
    texts = page.charts["values-0"]
    assert texts[: len(values)] == [percent(share) for _, share in values]
    assert texts[-len(values) :] == [value for value, _ in values]


def test_the_frontier_compares_with_what_the_function_says(con: TestConnection, page: Page) -> None:
    gcp = row(con, f"FROM info_loss('patients', 'release', {QI}, {TREES})")["gcp"]
    assert f"This release (1 in 3) loses {percent(gcp)}." in page.text
    [(best,)] = con.rows(
        f"SELECT min(gcp) FROM frontier('patients', {QI}, '{SA}', l := [2, 3, 5, 7], seed := 0, {TREES}) WHERE l >= 3"
    )
    assert best >= gcp * 0.99 or f"would lose {percent(best)}" in page.text
    assert "this release" in page.charts["frontier"]


def test_a_large_table_is_tried_on_a_sample(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.report.frontiers.MOST_ROWS", 100)
    made = report(con.connection, "release", QI, SA, src="patients", l=3, algo="hilbert", taxonomy={"zip": "zips"})
    text = read(made.html).text
    assert "All were tried on 100 rows drawn at random" in text
    assert "On the sample, the setting of this release (1 in 3) loses" in text


def test_every_chart_is_drawn_with_its_labels(page: Page) -> None:
    assert list(page.charts) == ["class-sizes", "guess-0", "values-0", "risk", "loss", "errors-0", "frontier"]
    for name, texts in page.charts.items():
        assert len([text for text in texts if text.strip()]) >= 4, name
    assert "cannot be drawn" not in page.text


def test_rare_values_are_one_bar_and_many_numbers_are_bins(con: TestConnection, page: Page) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE wages AS
        SELECT i % 7 AS age, 'v' || (i * i % 97) AS job, CASE WHEN i % 10 THEN 1000 + i * i % 97 * 100 END AS wage
        FROM range(300) AS r(i)
        """
    )
    charts = read(report(con.connection, "wages", ["age"], ["job", "wage"], public=True).html).charts
    jobs = con.rows("SELECT value, share FROM buckets('wages', 'job') ORDER BY rank, value")
    named = [label for label in charts["values-0"] if label.startswith("v")]
    assert len(named) == 12
    assert charts["values-0"][-1] == f"{len(jobs) - 12} others"
    shares = dict(jobs)
    assert charts["values-0"][12] == percent(1 - sum(shares[name] for name in named))
    [(low, high)] = con.rows("SELECT min(wage), max(wage) FROM wages")
    bins = con.rows(
        f"""
        SELECT count(*) FILTER (wage < {low} + ({high} - {low}) / 10.0) / 300, count(*) FILTER (wage IS NULL) / 300
        FROM wages
        """
    )
    texts = charts["values-1"]
    assert (texts[0], texts[10]) == tuple(map(percent, bins[0]))
    assert len(texts) == 22
    assert texts[-1] == "(missing)"
