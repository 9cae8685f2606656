"""Commands that read: verify, loss, risk, frontier. Measures are rows, JSON has the same numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.running import QI, SA, answer, copy, refusal, reused, run, shown, succeed
from sqlanon.cli.output import cell


@pytest.fixture(scope="module")
def publication(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A table and its 3-diverse release."""
    folder = tmp_path_factory.mktemp("publication")
    source, out = copy(folder / "people.parquet"), folder / "out.csv"
    succeed("release", source, out, *QI, *SA, "-l", 3)
    return source, out


def test_verify_prints_each_measure_in_a_row_with_its_bound(publication: tuple[Path, Path]) -> None:
    arguments = ["verify", publication[1], *QI, *SA, "-k", 3, "-l", 3]
    (measures,) = answer(*arguments)["measures"]
    printed = succeed(*arguments)
    table = shown(printed)
    for name, value in measures.items():
        assert table[name] == cell(value)
    assert "Every class keeps every bound." in printed
    assert answer(*arguments)["bounds"]["l"] == {"bound": 3, "violating_classes": 0}


def test_a_broken_bound_is_exit_code_1_with_the_number_of_classes(publication: tuple[Path, Path]) -> None:
    arguments = ["verify", publication[0], *QI, *SA, "-k", 5, "-t", 0.2]
    result = run(*arguments)
    assert result.exit_code == 1
    tbl = f"(FROM ''{publication[0]}'')"
    call = f"violations('{tbl}', ['age', 'zip'], 'disease', k := 5, t := 0.2)"
    [(classes,)] = reused().execute(f"SELECT count(*) FROM {call}").fetchall()
    assert f"{classes} classes break a bound." in result.stdout
    as_json = run(*arguments, "--json")
    assert as_json.exit_code == 1
    assert f'"violating_classes": {classes}' in as_json.stdout


def test_a_class_that_breaks_a_bound_for_two_attributes_is_counted_once(tmp_path: Path) -> None:
    """Seven classes; b has one value in two of them, and is fine in the others."""
    select = "i % 7 AS age, i // 7 % 3 AS a, CASE WHEN i % 7 < 2 THEN 0 ELSE i // 7 % 2 END AS b"
    table = copy(tmp_path / "t.parquet", f"SELECT {select} FROM range(126) AS r(i)")
    arguments = ["verify", table, "--qi", "age", "--sa", "a,b", "-l"]
    result = run(*arguments, 99)
    assert result.exit_code == 1
    assert result.stdout.endswith("7 classes break a bound.\n")
    titles = [line for line in result.stdout.splitlines() if line.endswith(":")]
    assert titles == ["a:", "b:"]
    assert not any(line.split()[:1] == ["sa"] for line in result.stdout.splitlines()), "an attribute is no measure"
    rows = [line.split()[3] for line in run(*arguments, 2).stdout.splitlines() if "frequency_l" in line]
    assert rows == ["0", "2"], "each attribute has its own number"
    as_json = json.loads(run(*arguments, 99, "--json").stdout)
    assert (as_json["violating_classes"], as_json["bounds"]["l"]["violating_classes"]) == (7, 7)
    assert "1 class breaks a bound." in run("verify", table, "--qi", "b", "-k", 60).stdout


def test_verify_takes_bounds_of_every_kind(publication: tuple[Path, Path]) -> None:
    without = answer("verify", publication[1], *QI, "-k", 3)["measures"]
    assert without[0]["k"] >= 3
    recursive = run("verify", publication[1], *QI, *SA, "-l", 2, "-c", 0.1, "--json")
    assert recursive.exit_code == 1
    assert '"c": ' in recursive.stdout
    assert answer("verify", publication[1], *QI, *SA, "-l", 3, "--tau", 0.5)["measures"][0]["tau"] <= 0.5
    several = succeed("verify", publication[0], "--qi", "zip", "--sa", "disease,age", "-k", 3)
    assert several.count("frequency_l") == 2
    assert "[SA102]" in refusal(2, "verify", publication[1], *QI, "-l", 3)
    assert "For l = 3, it goes from 1/3" in refusal(2, "verify", publication[1], *QI, *SA, "-l", 3, "--tau", 0.33)


def test_loss_is_told_in_all_and_by_column(publication: tuple[Path, Path]) -> None:
    measured, printed = answer("loss", *publication, *QI), succeed("loss", *publication, *QI)
    assert 0 < measured["gcp"] < 1
    assert [column["attribute"] for column in measured["columns"]] == ["age", "zip"]
    assert shown(printed)["gcp"] == cell(measured["gcp"])
    assert shown(printed)["zip"] == cell(measured["columns"][1]["ncp"])
    assert "[SA301]" in refusal(2, "loss", *publication, "--qi", "note")


def test_loss_against_the_source_has_three_digits(publication: tuple[Path, Path]) -> None:
    """With more, and one row left out, the value of that row could be computed."""
    measured = answer("loss", *publication, *QI, *SA)
    figures = [measured["gcp"], measured["information"], *(column["ncp"] for column in measured["columns"])]
    figures += [column["information"] for column in measured["columns"]]
    assert figures == [float(f"{figure:.3g}") for figure in figures]


def test_risk_is_told_in_all_and_by_size(publication: tuple[Path, Path]) -> None:
    measured, printed = answer("risk", publication[0], *QI), succeed("risk", publication[0], *QI)
    assert shown(printed)["prosecutor"] == cell(measured["prosecutor"])
    assert sum(size["people"] for size in measured["sizes"]) == measured["people"] == 300
    assert answer("risk", publication[0], *QI, "--entity", "person")["people"] == 40


def test_the_frontier_has_a_row_for_each_setting(publication: tuple[Path, Path]) -> None:
    measured = answer("frontier", publication[0], *QI, *SA, "-l", "2,3", "--algo", "hilbert,tp_plus")
    assert [(row["algo"], row["l"]) for row in measured] == [
        ("hilbert", 2), ("hilbert", 3), ("tp_plus", 2), ("tp_plus", 3),
    ]  # fmt: skip
    printed = succeed("frontier", publication[0], *QI, *SA, "-l", "2,3", "--algo", "hilbert,tp_plus")
    assert cell(measured[0]["gcp"]) in printed
    assert "whole numbers" in refusal(2, "frontier", publication[0], *QI, *SA, "-l", "two")


def test_each_column_has_a_role_and_a_reason(publication: tuple[Path, Path]) -> None:
    described, printed = answer("columns", publication[0]), succeed("columns", publication[0])
    assert [one["column"] for one in described] == ["person", "age", "zip", "disease", "note"]
    for one in described:
        assert one["role"] and one["reason"]
        assert str(one["role"]) in printed


def test_compiling_is_told_algorithm_by_algorithm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the minute that it takes."""
    from sqlanon import compiling

    def compile_kernels(to: Path | None, report: Callable[[str, float], None]) -> None:
        report(f"tp into {to and to.name}", 1.5)

    monkeypatch.setattr(compiling, "compile_kernels", compile_kernels)
    assert answer("compile") == [{"name": "tp into None", "seconds": 1.5}]
    printed = succeed("compile", "--to", tmp_path / "kernels")
    assert "tp into kernels" in printed
    assert f"NUMBA_CACHE_DIR={tmp_path}/kernels" in printed


def test_tables_fit_80_columns(publication: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (
        ("verify", publication[1], *QI, *SA, "-k", 3),
        ("loss", *publication, *QI),
        ("risk", publication[0], *QI),
        ("frontier", publication[0], *QI, *SA, "-l", "2"),
        ("columns", publication[0]),
        ("functions",),
        ("sql", "-c", "SELECT * FROM adult() LIMIT 2"),
        ("sql", "-c", "SELECT repeat('wide ', 50) AS a, [1, 2] AS b"),
        ("--help",),
        ("release", "--help"),
        ("certify", publication[1], *QI, *SA, "--out", publication[1].with_name("c.json"), "--force"),
        ("verify", publication[1], "--certificate", f"{publication[1]}.certificate.json", "--allow-unproven"),
    ):
        printed = succeed(*arguments)
        assert max(map(len, printed.splitlines())) <= 80, arguments


def test_help_lists_every_command_with_a_whole_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    printed = succeed("--help")
    assert "..." not in printed.split("Commands:")[1]
    assert succeed() == printed, "so does sqlanon alone"


def test_progress_is_drawn_on_a_terminal_alone(publication: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlanon.cli import narration

    monkeypatch.setattr(narration, "PATIENCE", 0)
    arguments = ["verify", publication[1], *QI]
    assert run(*arguments).stderr == ""
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes that for a terminal
    drawn = run(*arguments)
    assert "reading out.csv" in drawn.stderr
    assert "reading" not in drawn.stdout


def test_warnings_are_told_without_a_terminal(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    result = run("release", source, tmp_path / "out.csv", *QI, *SA, "-l", 3, "--keep", "note")
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: column 'note' has a value of its own")
