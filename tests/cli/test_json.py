"""The output of --json: the keys that docs/cli.md lists, and every line of stderr an object."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.running import QI, SA, copy, run
from sqlanon import compiling
from sqlanon.cli.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
Keys = dict[str, set[str]]
POLICY = """
source = "people.parquet"
[columns]
age = "quasi-identifier"
zip = { role = "quasi-identifier" }
disease = "sensitive"
person = "identifier"
note = "drop"
[release]
l = 3
people = "rows"
[output]
release = "by_policy.parquet"
report = "owner.html"
public_report = "public.html"
"""


def read_documentation() -> Keys:
    """The keys of each row of the table of docs/cli.md."""
    cli, functions = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("cli.md", "functions.md"))
    section = cli.partition("\n## JSON\n")[2]
    rows = re.findall(r"^\| (.*?) \| (.*?) \|$", section, re.MULTILINE)
    keys = {what.replace("`", ""): set(re.findall(r"`(\w+)`", listed)) for what, listed in rows if what != "what"}
    columns = (
        functions.partition("\n### certify\n")[2].partition("\nColumns of the answer:\n")[2].partition("\n\nA ")[0]
    )
    keys["certify"] = {"schema"}.union(
        *(re.findall(r"`(\w+)`", line) for line in re.findall(r"^\* (.*?):", columns, re.M))
    )
    return keys


def parts(what: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of an answer, by the row of the table that they are in."""
    if isinstance(value, list):
        yield from ((f"{what} []", one) for one in value)
        return
    yield what, value
    for name in {"verify": ("measures",), "verify --certificate": ("lines",)}.get(what, ("columns", "sizes")):
        yield from ((f"{what} {name}[]", one) for one in value.get(name, []) if what != "certify")
    if what == "verify":
        yield from ((f"{what} bounds.*", one) for one in value["bounds"].values())


def calls(folder: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Commands of every kind, one after the other, with the row of the table that says what each prints."""
    source, out = copy(folder / "people.parquet"), folder / "out.parquet"
    tree = folder / "tree.csv"
    tree.write_text("".join(f"d{i};{'low' if i < 2 else 'high'};*\n" for i in range(5)))
    (folder / "release.toml").write_text(POLICY)
    paper, key = folder / "out.parquet.certificate.json", folder / "key"
    yield "release", ("release", source, folder / "k.parquet", *QI, "-k", 3, "--entity", "person")
    yield "release", ("release", source, folder / "kept.parquet", *QI, "-k", 3, "--keep", "note")
    tau = ("--tau", 0.9, "-l", 2, "--taxonomy", f"disease={tree}")
    yield "release", ("release", source, folder / "tau.parquet", *QI, *SA, *tau)
    yield "release", ("release", source, out, *QI, *SA, "-l", 3)
    yield "run", ("run", folder / "release.toml")
    yield "verify", ("verify", out, *QI, "--sa", "disease", "-k", 2, "-l", 2, "-c", 3)
    yield "verify", ("verify", out, "--qi", "age", "--sa", "disease,zip")
    yield "verify", ("verify", out, *QI, *SA, *tau)
    yield "verify --certificate", ("verify", out, "--certificate", paper)
    yield "certify", ("certify", out, *QI, *SA, "-l", 3)
    if shutil.which("ssh-keygen"):
        from cli.test_signatures import make_key

        yield "sign", ("sign", paper, "--key", make_key(key))
    yield "loss", ("loss", source, out, *QI)
    yield "risk", ("risk", source, *QI)
    yield "frontier", ("frontier", source, *QI, "-k", 3, "--algo", "hilbert")
    yield "frontier", ("frontier", source, *QI, *SA, "-l", 3, "--algo", "hilbert")
    yield "report", ("report", out, folder / "report.html", *QI, *SA, "-l", 3)
    yield "columns", ("columns", source)
    yield "functions", ("functions",)
    yield "compile", ("compile", "--to", folder / "kernels")


def test_the_keys_of_every_command_are_those_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "COMMAND", (sys.executable, "-c", "print('algo hilbert 0.25')"))
    (tmp_path / "kernels" / "sqlanon").mkdir(parents=True)
    known, seen = read_documentation(), defaultdict[str, set[str]](set)
    for what, arguments in calls(tmp_path):
        result = run(*arguments, "--json")
        assert result.exit_code in (0, 1), result.output
        for row, value in parts(what, json.loads(result.stdout)):
            seen[row] |= value.keys()
        for line in result.stderr.splitlines():
            seen["warning"] |= json.loads(line).keys()
    assert seen.pop("run") - known["release"] == known.pop("run") - known["release"]  # whose keys it has, too
    for what in ("error", "phase", *(() if "sign" in seen else ("sign",))):
        del known[what]
    assert dict(seen) == known


def test_every_command_with_json_is_in_the_table() -> None:
    named = {what.split()[0] for what in read_documentation()}
    assert {name for name in COMMANDS if "--json" in run(name, "--help").stdout} - {"sql"} <= named


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code", "message", "hint"),
    [
        (("risk", "none.parquet", "--qi", "a"), 2, "SA101", "there is no file", ""),
        (("risk", "people.parquet", "--qi", "agee"), 2, "SA101", "there is no column 'agee' in tbl.", "Did you mean"),
        (("release", "people.parquet", "o.csv", *QI, *SA, "-l", 9), 3, "SA201", "l = 9 allows 33", "The largest l is"),
        (("release", "people.parquet", "o.csv", *QI, "-k", 0), 2, "SA102", "k = 0 is out of range.", "It goes from 1"),
        (("release", "people.parquet", "o.csv", *QI, "-k", "x"), 2, None, "Invalid value", "See root release --help."),
        (("risk", "people.parquet", "--qj", "a"), 2, None, "No such option", "See root risk --help."),
        (("rsik", "people.parquet"), 2, None, "No such command", "See root --help."),
        (("sql", "-c", "SELECT 1 +"), 2, None, "Parser Error", ""),
        (("sql", "-c", "FROM kanonymous(5, ['a'], 2)"), 2, "SA", "", ""),
    ],
    ids=lambda value: " ".join(map(str, value[:1])) if isinstance(value, tuple) else None,
)
def test_an_error_is_one_object_on_stderr(
    arguments: tuple[object, ...], exit_code: int, code: str | None, message: str, hint: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    copy(tmp_path / "people.parquet")
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stdout) == (exit_code, "")
    told = json.loads(result.stderr)
    assert list(told) == ["code", "message", "hint"]
    assert told["code"] == code if code is None else told["code"].startswith(code)
    assert message in told["message"]
    assert told["hint"].startswith(hint)
    assert "[SA" not in told["message"]


def test_an_error_for_people_has_code_message_and_hint_on_one_line(tmp_path: Path) -> None:
    people = copy(tmp_path / "people.parquet")
    assert run("risk", people, "--qi", "agee").stderr == (
        "error: [SA101] there is no column 'agee' in tbl. Did you mean 'age'?\n"
    )


@pytest.mark.parametrize("arguments", [("risk", "--qi", "age"), ("verify", "--qi", "age"), ("columns",)])
def test_verbose_prints_a_line_for_each_phase_with_rows_and_seconds(arguments: tuple[str, ...], tmp_path: Path) -> None:
    name, *options = arguments
    people = copy(tmp_path / "people.csv")
    lines = run(name, people, *options, "--verbose").stderr.splitlines()
    assert len(lines) >= 2
    assert all(re.fullmatch(r"[\w .]+: 300 rows in \d+\.\d s", line) for line in lines), lines
    told = [json.loads(line) for line in run(name, people, *options, "--verbose", "--json").stderr.splitlines()]
    assert [list(one) for one in told] == [["phase", "rows", "seconds"]] * len(lines)
    assert {one["rows"] for one in told} == {300}
    assert run(name, people, *options).stderr == ""


def test_verbose_tells_what_publishing_does(tmp_path: Path) -> None:
    people = copy(tmp_path / "people.csv")
    out = run("release", people, tmp_path / "out.parquet", *QI, *SA, "-l", 3, "--verbose", "--json").stderr
    told = {one["phase"]: one["rows"] for one in map(json.loads, out.splitlines()) if "phase" in one}
    for phase in ("reading people.csv", "grouping (hilbert)", "writing the release", "measuring the release"):
        assert told[phase] == 300
    assert list(told)[-1] == "publishing with ldiverse"
