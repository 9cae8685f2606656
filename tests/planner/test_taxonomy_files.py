"""A taxonomy may be the path of a file in ARX's layout, and its leaves may reach the root sooner than others."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from connections import TestConnection, store
from hypothesis import given
from hypothesis import strategies as st

from sqlanon.statement.writer import write_statement
from sqlanon.taxonomies.reader import taxonomy_paths

pytestmark = pytest.mark.oldest

HIERARCHIES = sorted((Path(__file__).parents[2].parent / "shared" / "data" / "adult_hierarchies").glob("*.csv"))
TREE = [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"]]


def paths(con: TestConnection, taxonomy: str | Path) -> list[list[str]]:
    """The paths that all functions read."""
    return sorted(path for (path,) in con.rows(write_statement(taxonomy_paths(str(taxonomy), "x"))))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("header", [[], [["leaf", "level_1", "level_2"]]], ids=["bare", "with header"])
def test_a_file_needs_no_word_on_how_it_is_written(
    con: TestConnection, tmp_path: Path, separator: str, newline: str, header: list[list[str]]
) -> None:
    file = tmp_path / "levels.csv"
    file.write_bytes("".join(separator.join(row) + newline for row in header + TREE).encode())
    assert paths(con, file) == TREE


def test_a_path_needs_neither_slash_nor_quotes(
    con: TestConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zip.csv").write_text("a;*\nb;*\n")
    (tmp_path / "zip levels.TSV").write_text("a\t*\nb\t*\n")
    monkeypatch.chdir(tmp_path)
    con.execute("COPY (SELECT unnest(['a', 'b']) AS leaf, '*' AS root) TO 'zip.parquet'")
    for path in ("zip.csv", "'zip.csv'", "./zip.csv", "zip levels.TSV", "zip.parquet", str(tmp_path / "zip.parquet")):
        assert paths(con, path) == [["a", "*"], ["b", "*"]]


def test_a_table_in_quotes_is_no_file(con: TestConnection, scratch: None) -> None:
    con.execute(
        'CREATE SCHEMA zip; CREATE TABLE zip.csv AS SELECT 1 AS leaf, 2 AS root; CREATE TABLE "z.csv" AS FROM zip.csv'
    )
    assert paths(con, '"zip"."csv"') == paths(con, '"z.csv"') == paths(con, "FROM zip.csv") == [["1", "2"]]


@pytest.mark.parametrize(
    "call",
    [
        "kanonymous('t', ['x'], 1, taxonomy := {'x': 'nowhere/zip.csv'})",
        "attribute_loss('t', 't', ['x'], taxonomy := {'x': 'nowhere/zip.csv'})",
        "privacy('t', ['y'], 'x', taxonomy := {'x': 'nowhere/zip.csv'})",
        "estimate('t', 'SELECT count(*) FROM t WHERE x = ''a''', taxonomy := {'x': 'nowhere/zip.csv'})",
    ],
)
def test_a_file_that_is_not_there_is_told(con: TestConnection, call: str) -> None:
    store(con, "t", {"x": "VARCHAR", "y": "VARCHAR"}, [("a", "y")])
    assert "[SA101] the taxonomy of column 'x' is not there: there is no file 'nowhere/zip.csv'" in con.refusal(
        f"FROM {call}"
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("\ufeffa;*\n\nb;*\n  \n", [["a", "*"], ["b", "*"]]),
        ("a;[1, 5];*\nb;[1, 5];*", [["a", "[1, 5]", "*"], ["b", "[1, 5]", "*"]]),
        ('"a;b";"say ""A""";*', [["a;b", 'say "A"', "*"]]),
        ('a,"x;y"\nb,"x;y"', [["a", "x;y"], ["b", "x;y"]]),
        ('say "a";*', [['say "a"', "*"]]),
        ("leaf;level\na;*", [["a", "*"]]),
        ("a;x\nb;y", [["a", "x"], ["b", "y"]]),  # not a header: nothing says which of the two is the root
        ("a;x\nb;y\nc;z", [["a", "x"], ["b", "y"], ["c", "z"]]),
        ("leaf;l1;l2;l3\na;A;*\nb;*;;\n", [["a", "A", "*"], ["b", "b", "*"]]),
        ('"";A;*\nb;A;*', [["", "A", "*"], ["b", "A", "*"]]),
        ("alone", [["alone"]]),
        ("", []),
    ],
)
def test_what_a_file_holds(con: TestConnection, tmp_path: Path, content: str, expected: list[list[str]]) -> None:
    file = tmp_path / "levels.csv"
    file.write_text(content, encoding="utf-8")
    assert paths(con, file) == expected


LABELS = st.text(st.sampled_from('ab;,\t" '), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=6, unique_by=lambda row: row[0]))
def test_what_csv_writers_quote_is_read_back(
    con: TestConnection, tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=";", quoting=csv.QUOTE_ALL).writerows([*row, "*"] for row in rows)
    file = tmp_path_factory.getbasetemp() / "quoted.csv"
    file.write_text(written.getvalue(), encoding="utf-8", newline="")
    assert paths(con, file) == sorted([leaf, label, "*"] for leaf, label in rows)


@pytest.mark.parametrize("empty", [None, ""], ids=["NULL", "empty"])
def test_a_leaf_that_reaches_the_root_sooner_is_repeated(con: TestConnection, empty: str | None) -> None:
    rows = [("x", "*", empty, empty), ("y", "Y", "*", empty), ("z", "Z", "ZZ", "*")]
    store(con, "levels", {f"level_{i}": "VARCHAR" for i in range(4)}, rows)
    assert paths(con, "levels") == [["x", "x", "x", "*"], ["y", "y", "Y", "*"], ["z", "Z", "ZZ", "*"]]


def test_a_level_that_no_leaf_has_is_none(con: TestConnection) -> None:
    store(con, "levels", {f"level_{i}": "VARCHAR" for i in range(4)}, [("x", "*", None, None), ("y", "*", "", None)])
    assert paths(con, "levels") == [["x", "*"], ["y", "*"]]


@pytest.mark.parametrize("row", [("x", None, "*"), (None, "A", "*"), ("x", None, None), ("x", "", None)])
def test_what_else_is_missing_is_refused(con: TestConnection, row: tuple[str | None, ...]) -> None:
    store(con, "levels", {f"level_{i}": "VARCHAR" for i in range(3)}, [("y", "A", "*"), row])
    store(con, "t", {"x": "VARCHAR"}, [("x",), ("y",)])
    assert "[SA105] the taxonomy of column 'x' is not a tree: " in con.refusal(
        "FROM kanonymous('t', ['x'], 1, taxonomy := {'x': 'levels'})"
    )


def test_an_uneven_taxonomy_is_as_good_as_an_even_one(con: TestConnection) -> None:
    store(con, "t", {"x": "VARCHAR", "y": "VARCHAR"}, [("x", "1"), ("y", "2"), ("z", "3"), ("w", "4")])
    uneven = [("x", "*", None), ("y", "A", "*"), ("z", "A", "*"), ("w", "A", "*")]
    store(con, "uneven", {"a": "VARCHAR", "b": "VARCHAR", "c": "VARCHAR"}, uneven)
    store(con, "even", {"a": "VARCHAR", "b": "VARCHAR", "c": "VARCHAR"}, [("x", "x", "*"), *uneven[1:]])
    for call in (
        "kanonymous('t', ['x'], 2, algo := 'mondrian', taxonomy := {'x': '$levels'})",
        "info_loss('t', '(SELECT ''A'' AS x FROM t LIMIT 3)', ['x'], taxonomy := {'x': '$levels'})",
        "privacy('t', ['y'], 'x', taxonomy := {'x': '$levels'})",
        "estimate('(SELECT ''A'' AS x)', 'SELECT count(*) FROM t WHERE x = ''y''', taxonomy := {'x': '$levels'})",
    ):
        answers = [con.rows(f"FROM {call.replace('$levels', levels)}") for levels in ("even", "uneven")]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("file", HIERARCHIES, ids=lambda file: file.stem)
def test_hierarchies_of_arx_are_read_as_they_are(con: TestConnection, file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as opened:
        assert paths(con, file) == sorted(csv.reader(opened, delimiter=";"))
