"""The page that is signed: why, for whom, who answers for it; empty lines where nobody said so."""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from connections import TestConnection

from report.hostile import SCRIPT
from report.pages import QI, SA, make, read
from report.test_browser import BROWSER, OPTIONS
from sqlanon.approval import RECORD_KEYS, ApprovalRecord
from sqlanon.certificate import Certificate
from sqlanon.errors import InvalidParameter
from sqlanon.report import report

POLICY = """
source = "patients.parquet"
[columns]
age = "quasi-identifier"
zip = "quasi-identifier"
disease = "sensitive"
ward = "drop"
[release]
l = 3
[output]
release = "published.parquet"
report = "owner.html"
public_report = "public.html"
[record]
purpose = "Planning of beds"
recipients = "The regional board"
why_quasi_identifiers = "They are in the voter roll"
made_by = "A. Analyst"
review_on = 2027-05-01
"""


@pytest.fixture(scope="module")
def certificate(con: TestConnection) -> Certificate:
    return make(con)


@pytest.fixture(autouse=True)
def no_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")


def test_a_policy_carries_its_record_to_the_owners_report_alone(
    con: TestConnection, certificate: Certificate, tmp_path: Path
) -> None:
    from sqlanon import run

    con.execute(f"COPY patients TO '{tmp_path}/patients.parquet'")
    policy = tmp_path / "release.toml"
    policy.write_text(POLICY, encoding="utf-8")
    run(policy)
    owner = (tmp_path / "owner.html").read_text(encoding="utf-8")
    digest = sha256(policy.read_bytes()).hexdigest()
    said = {"Planning of beds", "The regional board", "They are in the voter roll", "A. Analyst", "2027-05-01", digest}
    assert {text for text in said if text not in owner} == set()
    assert "Why these quasi-identifiers: age, zip" in owner
    assert "Why these bounds: l = 3" in owner
    assert owner.count('class="blank"') == len(RECORD_KEYS) + 1 - len(said)
    public = (tmp_path / "public.html").read_text(encoding="utf-8")
    assert {text for text in said if text in public} == set()
    assert "Purpose of the release" not in public


def test_without_a_record_there_are_lines_to_write_on(con: TestConnection, certificate: Certificate) -> None:
    html = report(con.connection, "release", QI, SA, certificate=certificate).html
    assert html.count('class="blank"') == len(RECORD_KEYS) + 1


def test_a_record_is_text_whatever_it_looks_like(con: TestConnection, certificate: Certificate) -> None:
    record = ApprovalRecord(purpose=SCRIPT, made_by="{{ 7 * 7 }}\u202e")
    html = report(con.connection, "release", QI, SA, certificate=certificate, record=record).html
    assert SCRIPT not in html
    assert SCRIPT in read(html).text
    assert "\u202e" not in html


def test_a_public_report_takes_no_record(con: TestConnection, certificate: Certificate) -> None:
    with pytest.raises(InvalidParameter, match=r"\[SA102\] a public report takes no record"):
        report(con.connection, "release", QI, SA, certificate=certificate, public=True, record=ApprovalRecord())
    with pytest.raises(InvalidParameter, match=r"\[SA102\] record must be an ApprovalRecord"):
        report(con.connection, "release", QI, SA, certificate=certificate, record={})  # type: ignore[arg-type]


def test_what_is_printed_has_page_numbers_the_hash_and_a_page_of_approval(
    con: TestConnection, certificate: Certificate
) -> None:
    html = report(con.connection, "release", QI, SA, certificate=certificate).html
    foot = re.escape(f'@page {{ @bottom-left {{ content: "release {certificate.content_hash}"; }} }}')
    assert re.search(foot, html)
    assert 'content: "page " counter(page) " of " counter(pages)' in html
    assert ".signature.whole-page { break-before: page;" in html
    assert html.index("line by line") < html.index('<section class="signature whole-page">')
    public = report(con.connection, "release", QI, SA, certificate=certificate, public=True).html
    assert re.search(foot, public)


@pytest.mark.skipif(BROWSER is None or not shutil.which("pdftotext"), reason="there is no Chromium, or no Poppler")
def test_every_printed_page_has_its_number_and_the_hash_and_approval_begins_one(
    con: TestConnection, certificate: Certificate, tmp_path: Path
) -> None:
    report(con.connection, "release", QI, SA, certificate=certificate).write(tmp_path / "owner.html")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    printed = f"--print-to-pdf={tmp_path / 'owner.pdf'}"
    page = (tmp_path / "owner.html").as_uri()
    subprocess.run(
        [str(BROWSER), *OPTIONS, "--no-pdf-header-footer", profile, printed, page],
        capture_output=True,
        timeout=120,
        check=True,
    )
    told = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "owner.pdf", "-"], capture_output=True, text=True, check=True
    )
    pages = told.stdout.rstrip("\f\n").split("\f")
    assert len(pages) > 2
    for number, text in enumerate(pages, 1):
        assert re.search(rf"release {certificate.content_hash}\s+page {number} of {len(pages)}\b", text), number
    assert pages[-1].index("Approval") < pages[-1].index("Purpose of the release")
    assert "line by line" not in pages[-1]
