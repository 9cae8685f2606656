"""A certificate is checked against a release: line by line, and whatever was changed is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from connections import TestConnection

import sqlanon
from sqlanon import errors
from sqlanon.certificate import Certificate, Line, all_hold, certify, check, file_reference

from .tables import QI, call, make

RELEASES = ("generalized", "anonymous", "listed", "swept")


@pytest.fixture(scope="module")
def certificates(con: TestConnection) -> Mapping[str, Certificate]:
    """A certificate of each release, the first with its source."""
    make(con, *RELEASES)
    made = {name: certify(con.connection, name, **call(name)) for name in RELEASES[1:]}
    return {"generalized": certify(con.connection, "generalized", src="patients", **call("generalized")), **made}


def lines_of(con: TestConnection, rel: str, certificate: Certificate, **others: Any) -> dict[str, Line]:
    """The lines by what they are about."""
    lines = check(con.connection, rel, certificate, **others)
    assert len({line.what for line in lines}) == len(lines)
    return {line.what: line for line in lines}


def broken(lines: Mapping[str, Line]) -> set[str]:
    return {what for what, line in lines.items() if line.holds is False}


def test_a_release_keeps_its_certificate(con: TestConnection, certificates: Mapping[str, Certificate]) -> None:
    lines = lines_of(con, "generalized", Certificate.from_json(certificates["generalized"].to_json()))
    assert broken(lines) == set()
    assert lines["content_hash"].holds is lines["k"].holds is lines["classes"].holds is True


@pytest.mark.parametrize(("name", "ending"), [*((name, "csv") for name in RELEASES), ("swept", "parquet")])
def test_so_does_its_file(
    con: TestConnection, certificates: Mapping[str, Certificate], name: str, ending: str, tmp_path: Path
) -> None:
    """In a CSV file, ranges, lists and numbers are text."""
    path = tmp_path / f"{name}.{ending}"
    con.execute(f"COPY (FROM {name} ORDER BY random()) TO '{path}' (FORMAT {ending})")
    trees = {"disease": "diseases"} if name == "swept" else {}
    lines = lines_of(con, file_reference(path), certificates[name], taxonomy=trees)
    assert broken(lines) == set()
    bounds = [line.holds for what, line in lines.items() if what.startswith("bound ")]
    assert bounds and all(bounds)


CHANGES = {
    "a changed cell": "SELECT * REPLACE (CASE WHEN rowid = 3 THEN 'zx' ELSE zip END AS zip) FROM generalized",
    "a removed row": "SELECT * FROM generalized WHERE rowid <> 3",
    "a row twice": "SELECT * FROM generalized UNION ALL SELECT * FROM generalized WHERE rowid = 3",
    "another sensitive value": "SELECT * REPLACE ('d9' AS disease) FROM generalized",
    "a renamed column": "SELECT * RENAME (zip AS postcode) FROM generalized",
    "a column more": "SELECT *, 1 AS more FROM generalized",
    "another release": "SELECT * FROM anonymous",
    "no rows": "SELECT * FROM generalized WHERE FALSE",
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_seen(con: TestConnection, certificates: Mapping[str, Certificate], change: str) -> None:
    lines = lines_of(con, f"({CHANGES[change]})", certificates["generalized"])
    assert "content_hash" in broken(lines)
    assert not all_hold(lines.values())


def test_the_line_of_a_broken_bound_says_what_was_measured(
    con: TestConnection, certificates: Mapping[str, Certificate]
) -> None:
    lines = lines_of(con, "(FROM anonymous WHERE rowid % 3 > 0)", certificates["anonymous"])
    assert (lines["bound k"].holds, lines["bound k"].certified) == (False, 4)
    assert lines["bound k"].measured == lines["k"].measured < 4
    assert {"bound k", "k", "broken", "broken_classes", "rows"} <= broken(lines)
    gap = lines_of(con, "(FROM anonymous WHERE group_id <> 2)", certificates["anonymous"])
    assert {"group_id has no gaps", "groups", "broken"} <= broken(gap)
    assert gap["bound k"].holds is True


def test_a_certificate_of_a_broken_promise_does_not_hold(
    con: TestConnection, certificates: Mapping[str, Certificate]
) -> None:
    certificate = certify(con.connection, "patients", QI, "disease", k=2)
    assert certificate.holds is False
    lines = lines_of(con, "patients", certificate)
    assert broken(lines) == {"bound k", "nobody is found by kept columns"}
    assert not all_hold(lines.values())


EDITS: dict[str, Any] = {
    "rows": 41,
    "classes": 3,
    "groups": None,
    "columns": (("age", "VARCHAR"),),
    "content_hash": "0" * 64,
    "risk": {"prosecutor": 0.9, "marketer": 0.8, "alone": 7},
    "bounds": {"l": 39},
    "broken": ("l", "group_id"),
}


def test_an_edited_certificate_does_not_hold(con: TestConnection, certificates: Mapping[str, Certificate]) -> None:
    lines = lines_of(con, "generalized", replace(certificates["generalized"], **EDITS))
    assert broken(lines) - {"broken_classes", "broken bounds", "types"} == {*EDITS} - {"bounds", "risk"} | {
        "bound l",
        "risk prosecutor",
        "risk marketer",
        "risk alone",
    }


def test_each_measure_is_compared(con: TestConnection, certificates: Mapping[str, Certificate]) -> None:
    (measures,) = certificates["generalized"].measures
    known = [name for name, value in measures.items() if isinstance(value, int | float)]
    assert len(known) > 8
    doubled = {**measures, **{name: measures[name] * 2 + 1 for name in known}}  # type: ignore[operator]
    doubled["delta_disclosure"] = 5
    lines = lines_of(con, "generalized", replace(certificates["generalized"], measures=(doubled,)))
    assert set(known) <= broken(lines)


def test_what_needs_a_taxonomy_is_not_checked_without_it(
    con: TestConnection, certificates: Mapping[str, Certificate]
) -> None:
    for trees in ({}, {"disease": "(SELECT DISTINCT disease, '*' AS every FROM patients)"}):
        lines = lines_of(con, "swept", certificates["swept"], taxonomy=trees)
        for what in ("tau", "t_hierarchical", "bound tau", "broken_classes"):
            assert lines[what].holds is None and lines[what].reason
        assert lines["taxonomy of disease"].holds is (False if trees else None)
    lines = lines_of(con, "swept", certificates["swept"], taxonomy={"disease": "diseases"})
    for what in ("taxonomy of disease", "tau", "t_hierarchical", "bound tau", "broken_classes"):
        assert lines[what].holds is True
    starred = "(SELECT * REPLACE (['d1'] AS disease) FROM swept)"
    assert "bound tau" in broken(lines_of(con, starred, certificates["swept"], taxonomy={"disease": "diseases"}))


def test_what_needs_the_source_or_people_is_not_checked(
    con: TestConnection, certificates: Mapping[str, Certificate]
) -> None:
    lines = lines_of(con, "generalized", certificates["generalized"])
    assert {what for what, line in lines.items() if line.holds is None} == {
        "source_rows",
        "taxonomy of zip",
        "repeating_identifiers",
        "promise for people",
        *("function", "arguments", "version", "created"),
    }
    people = replace(certificates["generalized"], unchecked=("l: it was promised for people, too",))
    assert lines_of(con, "generalized", people)["promise l"].reason == "it was promised for people, too"


def test_rows_are_no_people_where_an_identifier_repeats_that_nobody_named(
    con: TestConnection, certificates: Mapping[str, Certificate]
) -> None:
    certificate = certificates["generalized"]
    assert certificate.repeating_identifiers == ("person",)
    trees = {"zip": "zips"}
    for edited in (certificate, replace(certificate, repeating_identifiers=())):
        lines = lines_of(con, "generalized", edited, taxonomy=trees, src="patients")
        assert lines["promise for people"].holds is None and "'person'" in lines["promise for people"].reason
        assert not all_hold(lines.values())
    assert lines["repeating_identifiers"].holds is False
    without = "(SELECT * EXCLUDE (person) FROM patients)"
    named = certify(con.connection, "generalized", src=without, **call("generalized"))
    assert all_hold(check(con.connection, "generalized", named, trees, without))


def test_a_taxonomy_that_the_certificate_does_not_know_is_refused(
    con: TestConnection, certificates: Mapping[str, Certificate]
) -> None:
    with pytest.raises(errors.InvalidParameter, match="the certificate has none of column 'age'"):
        check(con.connection, "generalized", certificates["generalized"], {"age": "zips"})


def test_a_connection_that_is_not_loaded_will_do(tmp_path: Path) -> None:
    path = tmp_path / "rel.parquet"
    with duckdb.connect() as con:
        con.execute(f"COPY (SELECT 1 AS age FROM range(5)) TO '{path}' (FORMAT parquet)")
        certificate = certify(con, file_reference(path), ["age"], k=5)
    with duckdb.connect() as con:
        assert all_hold(check(con, file_reference(path), certificate))
        with pytest.raises(errors.ReleaseMismatch, match="'nope'"):
            certify(con, file_reference(path), ["nope"])
        with pytest.raises(duckdb.CatalogException):
            certify(con, "missing", ["age"])


def test_the_types_that_a_release_may_have_are_read_from_text() -> None:
    """The claims of a hostile certificate are not used."""
    from sqlanon.certificate.types import READABLE

    with sqlanon.connect() as con:
        for kind in ("BIGINT", "DECIMAL(9,2)", "TIMESTAMP WITH TIME ZONE", "VARCHAR[]", "STRUCT(lo DATE, hi DATE)"):
            assert READABLE.fullmatch(kind)
            assert con.execute(f"SELECT typeof(CAST(NULL AS {kind}))").fetchall() == [(kind,)]
    for kind in (
        "BIGINT) FROM x; DROP TABLE y",
        "ENUM",
        "STRUCT(lo DATE, hi BIGINT)",
        "STRUCT(a DATE)",
        "bigint",
        "MAP",
    ):
        assert not READABLE.fullmatch(kind)


def test_types_that_text_has_lost_count_again(con: TestConnection) -> None:
    """t_ordered needs numbers, and 10 comes after 9."""
    con.execute("CREATE OR REPLACE TABLE paid AS SELECT i % 2 AS age, i // 2 AS pay FROM range(24) AS r(i)")
    certificate = certify(con.connection, "paid", ["age"], "pay", k=12)
    assert certificate.measures[0]["t_ordered"] is not None
    lines = lines_of(con, "(SELECT CAST(age AS VARCHAR) AS age, CAST(pay AS VARCHAR) AS pay FROM paid)", certificate)
    assert lines["t_ordered"].holds is True
    assert all_hold(lines.values())
