"""sqlanon sql: scripts, statements and the shell; sqlanon functions; and what holds for the whole command line."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import sqlanon
from cli.running import answer, copy, refusal, run, succeed
from sqlanon.cli.shell import Shell
from sqlanon.reference import describe, described_functions

ROOT = Path(__file__).parents[2]


def test_statements_run_one_after_the_other(tmp_path: Path) -> None:
    script = tmp_path / "script.sql"
    script.write_text(
        "CREATE TABLE t AS SELECT i AS age FROM range(50) AS r(i);\n"
        "SELECT max(group_id) AS groups FROM kanonymous('t', ['age'], 5);"
    )
    assert succeed("sql", script).split() == ["50", "rows", "groups", "─" * 7, "10"]
    assert "10 more rows" in succeed("sql", "-c", "FROM range(50)")
    lines = succeed("sql", "-c", "SELECT 1 AS a, 'nan'::DOUBLE AS b; SELECT DATE '2024-01-31' AS d", "--json")
    assert [json.loads(line) for line in lines.splitlines()] == [[{"a": 1, "b": "nan"}], [{"d": "2024-01-31"}]]


def test_a_database_keeps_what_a_script_makes(tmp_path: Path) -> None:
    database = tmp_path / "x.duckdb"
    succeed("sql", "--db", database, "-c", "CREATE TABLE t AS SELECT 7 AS a")
    assert answer("sql", "--db", database, "-c", "FROM t") == [{"a": 7}]


def test_what_a_script_does_wrong_is_told_without_a_traceback(tmp_path: Path) -> None:
    assert "Could not convert string 'x'" in refusal(2, "sql", "-c", "SELECT CAST('x' AS INTEGER)")
    assert refusal(2, "sql", "-c", "FROM ldiverse('adult()', ['age'], 'nothing', 3)").startswith("error: [SA101]")
    assert refusal(3, "sql", "-c", "FROM kanonymous('(SELECT 1 AS a)', ['a'], 3)").startswith("error: [SA202]")
    assert refusal(1, "sql", "-c", "SELECT assert_private('adult()', ['age', 'sex'], k := 99)").startswith(
        "error: [SA302]"
    )
    assert "No such file" in refusal(2, "sql", tmp_path / "no.sql")
    assert "do not go together" in refusal(2, "sql", tmp_path / "no.sql", "-c", "SELECT 1")


def test_a_statement_sees_no_variable_of_the_program() -> None:
    assert "does not exist" in refusal(2, "sql", "-c", "FROM script")


def test_nothing_that_is_printed_steers_the_terminal() -> None:
    assert "\x1b" not in succeed("sql", "-c", "SELECT chr(27) || '[31m[red]x' AS a, 1 AS \"b\x1b[31m\"")


class Typist:
    """Somebody at a shell: lines, Ctrl-C, and in the end Ctrl-D."""

    def __init__(self, *lines: str | type[BaseException]) -> None:
        self.lines: Iterator[str | type[BaseException]] = iter((*lines, EOFError))

    def __call__(self, prompt: str) -> str:
        line = next(self.lines)
        if isinstance(line, str):
            return line
        raise line


def type_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *lines: str | type[BaseException]) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("builtins.input", Typist(*lines))
    with sqlanon.connect() as con:
        Shell(con, 40).run()


def test_numbers_of_data_have_no_separators() -> None:
    """2014 is a year; but what sqlanon counts itself is easier to read with them."""
    printed = succeed("sql", "-c", "SELECT 2014 AS year, -1234567 AS whole, 20140.5 AS half")
    assert printed.splitlines()[-1].split() == ["2014", "-1234567", "20140.5"]
    narrow = "SELECT " + ", ".join(f"2014 AS year_{number}" for number in range(40))
    assert "2,014" not in succeed("sql", "-c", narrow)


def test_the_shell_reads_up_to_a_semicolon(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines(
        monkeypatch, tmp_path, "SELECT 40 +", "", "2 AS a;", "SELECT 'x;", "y' AS b;", ".quit", "SELECT 99 AS c;"
    )
    printed, complaints = capsys.readouterr()
    assert "42" in printed and "x;\\ny" in printed and "99" not in printed
    assert complaints == ""
    assert oct((tmp_path / "sqlanon" / "history").stat().st_mode)[-3:] == "600"


def test_the_shell_goes_on_after_an_error_and_after_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ("SELECT nothing;", "SELECT 1 +", KeyboardInterrupt, "SELECT 43 AS a;", ".functions risk", ".huh", "FRM x;")
    type_lines(monkeypatch, tmp_path, *lines)
    printed, complaints = capsys.readouterr()
    assert "43" in printed and "risk(tbl, qi, threshold := 0.2" in printed and ".quit" in printed
    assert complaints.count("error: ") == 2
    assert "Traceback" not in complaints


def test_functions_are_listed_with_words_and_examples_that_run() -> None:
    listed = succeed("functions")
    for function in described_functions():
        assert re.search(rf"^ {function.name} ", listed, re.MULTILINE)
        assert function.text and function.examples, function.name
    one = answer("functions", "violations")[0]
    assert one["parameters"][:3] == ["tbl", "qi", "sa := NULL"]
    assert "Choose one of" in refusal(2, "functions", "violation")


def test_the_first_example_of_a_function_is_that_of_its_section() -> None:
    assert describe("tp_phases").examples[0].startswith("FROM tp_phases(")
    assert describe("eligibility").examples[0].startswith("SELECT 'salary' AS sensitive")
    assert describe("columns").examples[0] == "FROM \"columns\"('patients');"


def test_examples_are_whole_statements() -> None:
    for function in described_functions():
        for example in function.examples:
            assert len(duckdb.extract_statements(example)) == 1


def test_importing_sqlanon_brings_neither_typer_nor_rich() -> None:
    code = "import sys, sqlanon, sqlanon.cli; print({'typer', 'rich'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


OF_ALL = ("--help", "--json", "--verbose", "--threads", "--memory-limit", "--temp-directory")
"""Options that are documented once, for all commands."""


def test_every_command_is_in_the_documentation() -> None:
    from sqlanon.cli.commands import COMMANDS

    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    for name in COMMANDS:
        assert f"sqlanon {name}" in sections[name]
        for option in re.findall(r"^  (--?[\w-]+)", succeed(name, "--help"), re.MULTILINE):
            assert f"`{option}" in sections[name] or option in OF_ALL, f"{option} of {name}"


def console_blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shown_commands(page: str) -> Iterator[tuple[list[str], str]]:
    """The commands that a page shows in its console blocks, each with what it prints there."""
    for block in console_blocks(page):
        for command, printed in re.findall(r"^\$ (.*?)\n((?:(?!\$ ).*\n)*)", in_one_line(block), re.MULTILINE):
            program, *arguments = shlex.split(command)
            assert program in ("sqlanon", "pip")
            if program == "sqlanon":
                yield arguments, printed


def in_one_line(block: str) -> str:
    """A block with a line for each command: a backslash, or a quote that is open, leads to the next line."""
    block = re.sub(r"\\\n\s*", "", block)
    return re.sub(r'^\$ [^"\n]*"[^"]*"', lambda command: command[0].replace("\n", " "), block, flags=re.MULTILINE)


def test_what_the_documentation_shows_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = list(shown_commands("docs/cli.md"))
    assert len(commands) > 8
    for arguments, _ in commands:
        expected = 1 if arguments[0] == "verify" and "0.2" in arguments else 0
        if arguments[0] not in ("demo", "compile"):  # test_docs.py runs the one, the other takes a minute
            result = run(*arguments)
            assert result.exit_code == expected, (arguments, result.output)


def test_the_session_of_the_readme_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In 80 columns, and but for the seconds."""
    monkeypatch.chdir(tmp_path)
    commands = list(shown_commands("README.md"))
    assert len(commands) > 8
    assert all(len(line) <= 80 for block in console_blocks("README.md") for line in block.splitlines())
    for arguments, printed in commands:
        assert without_seconds(succeed(*arguments)) == without_seconds(printed), arguments


def without_seconds(printed: str) -> str:
    """The output without what differs from run to run: how long it took, and when a certificate was made."""
    printed = re.sub(r"^( seconds +)[\d.]+$", r"\1…", printed, flags=re.MULTILINE)
    printed = re.sub(r"^( measure +value\n)─+$", r"\1─", printed, flags=re.MULTILINE)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "…", printed)


def test_python_runs_the_package() -> None:
    result = subprocess.run([sys.executable, "-m", "sqlanon", "--version"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, f"sqlanon {sqlanon.__version__}\n")
    assert run("--version").stdout == result.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")
def test_ctrl_c_is_exit_code_130_and_leaves_nothing(tmp_path: Path) -> None:
    """While a kernel runs: it tells of itself, as nothing else can."""
    copy(tmp_path / "many.parquet", "SELECT i * 7919 % 99991 AS a, i * 104729 % 99991 AS b FROM range(400000) AS r(i)")
    code = """
import signal, sys
from sqlanon.udfs.grouping import compiling
from sqlanon.udfs.kernels.halving import topdown
from sqlanon.cli import main
compiling.PATIENCE = 3600
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background
kernel = topdown.halve
def announce(*arguments):
    print("running", flush=True)
    return kernel(*arguments)
topdown.halve = announce
sys.exit(main(["release", "many.parquet", "out.parquet", "--qi", "a,b", "-k", "2", "--algo", "topdown"]))
"""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(2):  # once to warm up
            assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate()
    assert (process.returncode, complaints) == (130, "error: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["many.parquet"]
