"""For the owner, and to be shared: a public report says nothing of the source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from connections import TestConnection, open_connection, store
from hospital import DISEASES, RELEASE

from report.pages import QI, SA, make, read, without_times
from sqlanon.certificate import Certificate, certify
from sqlanon.errors import InvalidParameter
from sqlanon.report import Report, report


@pytest.fixture(scope="module")
def certificate(con: TestConnection) -> Certificate:
    return make(con)


@pytest.fixture(scope="module")
def public(con: TestConnection, certificate: Certificate) -> Report:
    return report(con.connection, "release", QI, SA, certificate=certificate, public=True, title="Shared")


def test_a_public_report_takes_no_source(con: TestConnection, certificate: Certificate) -> None:
    with pytest.raises(InvalidParameter, match=r"\[SA102\] a public report takes no src"):
        report(con.connection, "release", QI, SA, certificate=certificate, src="patients", public=True)


def test_a_public_report_is_the_same_where_there_is_no_source(
    con: TestConnection, certificate: Certificate, public: Report, tmp_path: Path
) -> None:
    con.execute(f"COPY release TO '{tmp_path}/release.parquet'")
    with open_connection() as elsewhere:
        elsewhere.execute(f"CREATE TABLE release AS FROM '{tmp_path}/release.parquet'")
        again = report(elsewhere.connection, "release", QI, SA, certificate=certificate, public=True, title="Shared")
    assert without_times(again.html) == without_times(public.html)


def test_a_public_report_has_no_figure_of_the_source_but_those_of_the_certificate(public: Report) -> None:
    page = read(public.html)
    assert not [name for name in page.figures if name.startswith("before")]
    assert {"loss", "errors-0", "frontier"}.isdisjoint(page.charts)
    assert "To be shared" in page.text
    assert "source:" not in page.text
    assert "says the certificate" in page.text


def test_without_a_certificate_a_public_report_has_the_release_alone(
    con: TestConnection, certificate: Certificate
) -> None:
    page = read(report(con.connection, "release", QI, SA, l=3, public=True).html)
    assert {"after gcp", "after suppressed_rows"}.isdisjoint(page.figures)
    assert "There was no certificate" in page.text
    assert "Every promise holds" in page.text


def test_a_public_report_names_no_value_below_a_label(con: TestConnection) -> None:
    """In the release of Tian and Zhang's patients, nobody has anemia by name."""
    store(con, "hospital", dict.fromkeys(("age", "zip", SA), "VARCHAR"), RELEASE)
    store(con, "diseases", dict.fromkeys(("leaf", "kind", "every"), "VARCHAR"), DISEASES)
    trees = {SA: "diseases"}
    (hidden,) = {leaf for leaf, *_ in DISEASES} - {value for *_, value in RELEASE if value != "anemia"}
    con.execute("UPDATE hospital SET disease = 'hemal disease' WHERE disease = 'anemia'")
    sworn = certify(con.connection, "hospital", QI, SA, tau=0.9, l=3, taxonomy=trees)
    owner = report(con.connection, "hospital", QI, SA, certificate=sworn, taxonomy=trees)
    shared = report(con.connection, "hospital", QI, SA, certificate=sworn, taxonomy=trees, public=True)
    assert (owner.holds, shared.holds) == (True, True)
    assert hidden in owner.html
    assert hidden not in shared.html
    assert "hemal disease" in shared.html


def test_the_owner_is_warned_not_to_share(
    con: TestConnection, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")
    assert "made without the source" in report(con.connection, "release", QI, SA, certificate=certificate).html
    made = report(con.connection, "release", ["age"], src="patients", k=2)
    assert "has figures of the source, do not share" in made.html
    assert "It cannot be drawn: Count queries ask at least two columns." in made.html
    assert "It cannot be drawn: this test has no time." in made.html


def test_a_notebook_shows_a_frame_that_changes_nothing_around_it(public: Report, tmp_path: Path) -> None:
    (frame,) = read(public._repr_html_()).elements
    assert frame[0] == "iframe"
    assert frame[1]["srcdoc"] == public.html
    assert "sandbox" in frame[1]
    public.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == public.html


def test_a_page_needs_no_other_file(public: Report) -> None:
    for tag, attributes in read(public.html).elements:
        assert tag not in {"script", "link", "img", "iframe", "object", "embed", "image", "use", "form"}
        assert not {"src", "href", "xlink:href", "action"} & set(attributes), tag
    assert "url(" not in public.html
    assert "@import" not in public.html


def test_without_the_extra_the_error_says_what_to_install() -> None:
    script = "import sys; sys.modules['vl_convert'] = None; import sqlanon.cli; import sqlanon.report"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert 'InvalidParameter: [SA102] sqlanon.report needs an extra. pip install "sqlanon[report]"' in ended.stderr


def test_the_extra_is_imported_by_reports_alone() -> None:
    script = "import sqlanon, sqlanon.cli.app, sys; print({'jinja2', 'vl_convert'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"
