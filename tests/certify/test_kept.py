"""Columns that are published as they are: how far they tell rows apart, and that no verdict is green beside them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli.running import answer, copy, refusal, run
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlanon.certificate import all_hold, certify, check
from sqlanon.publishing.summary import warnings

PEOPLE = """
    SELECT
        i % 18 AS age, 'd' || i // 18 % 5 AS disease, i % 12 AS less, i // 12 AS more,
        CASE WHEN i < 60 THEN i % 20 ELSE i END AS nearly, 'x' AS every
    FROM range(180) AS r(i)
"""
ROWS_OF_PEOPLE = f"SELECT * EXCLUDE (nearly) FROM ({PEOPLE})"
"""Without a column that looks like an identifier and repeats."""

LINE = "nobody is found by kept columns"


def count_rows(rows: list[tuple[int, ...]]) -> tuple[int, int]:
    """Rows whose kept cells no other row has, and those that are alone in their class; the first cell of a row is its
    class.
    """
    cells, classes, both = (Counter(each) for each in ([row[1:] for row in rows], [row[0] for row in rows], rows))
    return (
        sum(cells[row[1:]] == 1 for row in rows),
        sum(both[row] == 1 and classes[row[0]] > 1 for row in rows),
    )


ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=40)


@settings(max_examples=25)
@given(rows=ROWS)
def test_what_is_counted_is_what_plain_python_counts(con: TestConnection, rows: list[tuple[int, int, int]]) -> None:
    values = ", ".join(map(str, rows))
    certificate = certify(con.connection, f"(FROM (VALUES {values}) AS t(class, one, two))", ["class"])
    expected: dict[tuple[str, ...], tuple[int, ...]] = {
        ("one",): count_rows([(row[0], row[1]) for row in rows]),
        ("two",): count_rows([(row[0], row[2]) for row in rows]),
    }
    counted = {each["columns"]: (each["unique_rows"], each["alone_rows"]) for each in certificate.kept}
    several = all(len({row[number] for row in rows}) > 1 for number in (1, 2))
    if several and not any(each["identifies"] for each in certificate.kept[:2]):
        expected["one", "two"] = count_rows(list(rows))
    assert counted == expected
    for each in certificate.kept:
        leads = len(rows) >= 20 and counted[each["columns"]][0] * 2 > len(rows)
        assert each["identifies"] is leads


@pytest.mark.parametrize(
    ("kept", "identifying"),
    [
        (["less"], ()),
        (["every"], ()),
        (["nearly"], ("nearly",)),
        (["less", "more", "every"], ("less", "more")),
    ],
    ids=["twelve values", "one value", "nearly unique", "together"],
)
def test_columns_lead_to_people_alone_or_together(
    con: TestConnection, kept: list[str], identifying: tuple[str, ...]
) -> None:
    con.execute(f"CREATE OR REPLACE TABLE people AS {PEOPLE}")
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM ldiverse('people', ['age'], 'disease', 3, keep := {kept})")
    certificate = certify(con.connection, "release", ["age"], "disease", l=3)
    assert (certificate.identifying_columns, certificate.holds) == (identifying, True)
    lines = check(con.connection, "release", certificate)
    (line,) = (line for line in lines if line.what == LINE)
    assert (line.holds, line.verdict) == ((False, "is broken") if identifying else (True, "holds"))
    assert all_hold(lines) is not bool(identifying)
    assert all_hold(check(con.connection, "release", certificate, identifying=[name.upper() for name in identifying]))


@pytest.fixture
def publication(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A release beside names, and what was said of it."""
    source, out = copy(tmp_path / "people.parquet", ROWS_OF_PEOPLE), tmp_path / "out.parquet"
    columns = ("--qi", "age", "--sa", "disease", "--keep", "less,more")
    return out, json.loads(run("release", source, out, *columns, "-l", 3, "--json").stdout)


def test_verify_is_red_unless_the_columns_are_expected(publication: tuple[Path, dict[str, Any]]) -> None:
    out, said = publication
    assert said["identifying_columns"] == "less, more"
    call = ("verify", out, "--certificate", said["certificate"])
    red = run(*call)
    assert red.exit_code == 1 and "lead to people: 'less', 'more'" in " ".join(red.stdout.split())
    lines = {line["line"]: line for line in json.loads(run(*call, "--json").stdout)["lines"]}
    assert lines[LINE]["verdict"] == "is broken" and lines["bound l"]["verdict"] == "holds"
    assert run(*call, "--identifying", "less").exit_code == 1
    assert answer(*call, "--identifying", "less,more")["holds"] is True
    assert "are about a certificate" in refusal(2, "verify", out, "--qi", "age", "--identifying", "less")


def test_certify_is_red_too(publication: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    call = ("certify", publication[0], "--qi", "age", "--sa", "disease", "-l", 3, "--out", tmp_path / "c.json")
    red = run(*call)
    assert (red.exit_code, "identifying_columns" in red.stdout) == (1, True)
    assert "these columns lead to people: 'less', 'more'" in red.stderr
    assert (tmp_path / "c.json").exists(), "the certificate says so"


def test_a_policy_names_every_column_that_leads_to_people_together(tmp_path: Path) -> None:
    copy(tmp_path / "people.parquet", ROWS_OF_PEOPLE)
    keep, named = '"keep"', '{ role = "keep", identifies = true }'
    for less, more, code in ((keep, keep, 1), (named, keep, 1), (named, named, 0)):
        (tmp_path / "policy.toml").write_text(
            'source = "people.parquet"\n[columns]\nage = "quasi-identifier"\ndisease = "sensitive"\n'
            f'less = {less}\nmore = {more}\nevery = "drop"\n'
            '[release]\nl = 3\n[output]\nrelease = "out.parquet"\n'
        )
        assert run("run", tmp_path / "policy.toml").exit_code == code


def test_a_column_that_tells_rows_apart_in_their_class_is_warned_of(con: TestConnection) -> None:
    con.execute(f"CREATE OR REPLACE TABLE people AS {PEOPLE}")
    con.execute("CREATE OR REPLACE TABLE release AS FROM ldiverse('people', ['age'], 'disease', 3, keep := ['more'])")
    certificate = certify(con.connection, "release", ["age"], "disease", l=3)
    assert (certificate.identifying_columns, certificate.narrowing_columns) == ((), ("more",))
    (warning,) = warnings(certificate)
    assert "tell most rows apart in their class: 'more'" in warning
    assert all_hold(check(con.connection, "release", certificate))
