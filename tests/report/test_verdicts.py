"""Promises and certificates in a report, and the arguments that it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from connections import TestConnection

from report.pages import QI, SA, make, read
from sqlanon.certificate import Certificate, certify
from sqlanon.errors import SqlanonError
from sqlanon.report import Report, report


@pytest.fixture(scope="module")
def certificate(con: TestConnection) -> Certificate:
    return make(con)


def share(con: TestConnection, certificate: Certificate | None, rel: str = "release", **others: Any) -> Report:
    return report(con.connection, rel, QI, SA, certificate=certificate, public=True, **others)


def test_a_certificate_that_fits_says_what_it_promises(con: TestConnection, certificate: Certificate) -> None:
    made = share(con, certificate)
    assert made.holds is True
    text = read(made.html).text
    assert "Every promise holds" in text
    assert "In no published class does a value of disease take more than 1/3 of the rows (l = 3); whoever" in text
    assert "or knows more, may guess better. Holds." in text
    assert certificate.content_hash in text


def test_a_certificate_of_another_release_is_told_line_by_line(con: TestConnection, certificate: Certificate) -> None:
    made = share(con, certificate, "(FROM release LIMIT 200)")
    assert made.holds is False
    text = read(made.html).text
    assert "The release and its certificate do not agree" in text
    assert "It differs in: content_hash, rows" in text
    assert "Every promise holds" not in text


def test_a_broken_promise_is_in_the_headline(con: TestConnection, certificate: Certificate) -> None:
    sworn = certify(con.connection, "release", QI, SA, l=3, k=500)
    made = share(con, sworn)
    assert made.holds is False
    text = read(made.html).text
    assert "A promise is broken: k" in text
    assert "each class has 500 rows or more (k = 500). Broken." in text
    assert share(con, None, k=500).holds is False


def test_without_a_promise_nothing_is_said_to_hold(con: TestConnection, certificate: Certificate) -> None:
    made = share(con, None)
    assert made.holds is None
    assert "Nothing was promised that could be checked" in made.html


def test_rows_of_the_source_are_checked_if_the_source_is_there(
    con: TestConnection, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")
    assert certificate.source_rows is not None
    wrong = replace(certificate, source_rows=certificate.source_rows + 1)
    assert share(con, wrong).holds is True  # nobody can tell without the source
    trees = {"zip": "zips"}
    made = report(con.connection, "release", QI, SA, certificate=wrong, src="patients", taxonomy=trees)
    assert made.holds is False
    assert "It differs in: source_rows." in made.html


@pytest.mark.parametrize("stated", [None, ()], ids=["a certificate without source", "one that says there is none"])
def test_an_identifier_that_repeats_in_the_source_is_seen_whatever_the_certificate_says(
    con: TestConnection, stated: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")
    con.execute("CREATE OR REPLACE TABLE visits AS SELECT *, 1000 + rowid // 3 AS patient_id FROM patients")
    made = certify(con.connection, "release", QI, SA, l=3, src="visits")
    assert made.repeating_identifiers == ("patient_id",)
    said = replace(made, repeating_identifiers=stated, source_rows=None if stated is None else made.source_rows)
    page = report(con.connection, "release", QI, SA, certificate=said, src="visits", taxonomy={"zip": "zips"})
    assert page.holds is (None if stated is None else False)
    assert "These columns of the source look like identifiers, and repeat: patient_id." in read(page.html).text


def test_people_who_stand_alone_are_named_where_no_k_is_promised(con: TestConnection, certificate: Certificate) -> None:
    call = "ldiverse('patients', ['age', 'zip'], 'disease', 3, algo := 'anatomy')"
    con.execute(f"CREATE OR REPLACE TABLE anatomized AS FROM {call}")
    [(alone,)] = con.rows(f"SELECT unique_people FROM risk('anatomized', {QI})")
    assert alone
    made = share(con, None, "anatomized", l=3, algo="anatomy")
    assert made.holds is True
    assert f"{alone} rows stand alone in the release, and can be found. No k was promised." in made.html
    assert "One value takes 33.3% of a class at most, if the values below a label, or in a list, are" in made.html
    assert "What is drawn is expected of them if" in made.html  # lists are taken apart
    assert "was not measured" in share(con, None, "anatomized").html  # as nobody says what l is


def test_people_are_counted_as_the_certificate_counts_them(con: TestConnection, certificate: Certificate) -> None:
    sworn = certify(con.connection, "release", QI, SA, l=2, entity="ward")
    figures = read(share(con, sworn).html).figures
    [(smallest, average)] = con.rows(f"SELECT smallest_class, marketer FROM risk('release', {QI}, entity := 'ward')")
    assert (float(figures["after k"]), float(figures["after marketer"])) == (smallest, average)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rel": "(FROM release LIMIT 0)"}, "[SA202] the table is empty"),
        ({"rel": "release; DROP TABLE release"}, "[SA103]"),
        ({"src": "(FROM patients LIMIT 3)"}, "[SA301]"),
        ({"qi": ["agee"]}, "[SA301] there is no column 'agee'"),
        ({"qi": []}, "[SA102] qi is empty"),
        ({"qi": "age"}, "[SA102] qi must be a list"),
        ({"qi": ["age"], "sa": "AGE"}, "[SA101] column 'AGE' is given in both"),
        ({"certificate": "{}"}, "[SA102] certificate must be a Certificate"),
        ({"k": 0}, "[SA102] k = 0 is out of range"),
        ({"l": True}, "[SA102] l must be a whole number"),
        ({"l": 3, "algo": "magic"}, "[SA102] algo: 'magic' is not known"),
        ({"taxonomy": {"name": "zips"}}, "[SA101] taxonomy names column 'name'"),
        ({"title": "  "}, "[SA102] title is empty"),
        ({"title": 7}, "[SA102] title must be text"),
        ({"public": 1}, "[SA102] public must be true or false"),
        ({"src": 7}, "[SA102] src must be text"),
    ],
)
def test_bad_arguments_are_coded_errors(
    con: TestConnection, certificate: Certificate, arguments: dict[str, Any], message: str
) -> None:
    call: dict[str, Any] = {"rel": "release", "qi": QI, "sa": SA, **arguments}
    with pytest.raises(SqlanonError) as raised:
        report(con.connection, call.pop("rel"), call.pop("qi"), call.pop("sa"), **call)
    assert str(raised.value).startswith(message)


def test_arguments_that_contradict_the_certificate_are_refused(con: TestConnection, certificate: Certificate) -> None:
    for arguments in ({"l": 4}, {"k": 3}):
        with pytest.raises(SqlanonError, match="is not what the certificate says"):
            share(con, certificate, **arguments)
    for qi, sa in ((["age"], SA), (QI, ["disease", "ward"])):
        with pytest.raises(SqlanonError, match="names other columns than the certificate"):
            report(con.connection, "release", qi, sa, certificate=certificate)
    assert report(con.connection, "release", ["ZIP", "age"], certificate=certificate, public=True, l=3).holds


def test_missing_quasi_identifiers_are_what_the_certificate_says(con: TestConnection, certificate: Certificate) -> None:
    stars = "CASE WHEN age < '[4' THEN '*' ELSE age END AS age"
    con.execute(f"CREATE OR REPLACE TABLE starred AS SELECT * REPLACE ({stars}) FROM release")
    counts = {}
    for nulls in ("value", "wildcard", "exclude"):
        sworn = certify(con.connection, "starred", QI, SA, k=1, nulls=nulls)
        figures = read(share(con, sworn, "starred").html).figures
        [(average,)] = con.rows(f"SELECT marketer FROM risk('starred', {QI}, nulls := '{nulls}')")
        assert float(figures["after marketer"]) == average
        counts[nulls] = average
    assert len(set(counts.values())) == 3
    con.execute("UPDATE starred SET age = '*'")
    sworn = certify(con.connection, "starred", QI, SA, nulls="exclude")
    with pytest.raises(SqlanonError, match="leaves nobody to judge"):
        share(con, sworn, "starred")
