"""Signals, kills and other runs do a release that is being published no harm."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli.running import QI, SA, copy, refusal, run, succeed
from sqlanon.errors import InvalidParameter, NotPrivate
from sqlanon.publishing import destinations, release, staging
from sqlanon.publishing.paths import Source
from sqlanon.publishing.session import Session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has no such signals, modes and locks"),
]

RELEASE = ["release", "people.parquet", "out.parquet", *QI, *SA, "-l", "2"]
PAUSED = """
import sys, time
from sqlanon.publishing import release
from sqlanon.udfs.grouping import compiling
from sqlanon.cli import main
compiling.PATIENCE = 3600
measure = release.certify_release
def pause(*arguments):
    certificate = measure(*arguments)
    print("measured", flush=True)
    time.sleep(60)
    return certificate
release.certify_release = pause
sys.exit(main(sys.argv[1:]))
"""


def answer_signals() -> None:
    """Take signals as a terminal leaves them, also where the tests run in the background or under nohup."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def terminal_signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    answer_signals()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@contextmanager
def publishing(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A run that has written and measured its release, and has not published it."""
    copy(folder / "people.parquet")
    with subprocess.Popen(
        [sys.executable, "-P", "-c", PAUSED, *RELEASE], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, preexec_fn=answer_signals,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "measured\n"
        yield process
        process.kill()


def files(folder: Path) -> list[str]:
    """All that lies in a folder, and below it."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=lambda value: str(value),
)
def test_a_signal_ends_a_run_with_its_own_exit_code_and_leaves_nothing(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    with publishing(tmp_path) as process:
        process.send_signal(number)
        _, complaints = process.communicate()
    assert (process.returncode, complaints) == (code, "error: interrupted\n")
    assert files(tmp_path) == ["people.parquet"]


def test_what_is_not_published_yet_is_its_owners_alone_and_a_kill_is_swept_up_by_the_next_run(tmp_path: Path) -> None:
    with publishing(tmp_path) as process:
        hidden = [path for path in tmp_path.iterdir() if path.is_dir()]
        assert {stat.S_IMODE(path.stat().st_mode) for path in hidden} == {0o700}
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["people.parquet"]
        process.kill()
        process.communicate()
    assert any(name.endswith("/out.parquet") for name in files(tmp_path))
    succeed("release", tmp_path / "people.parquet", tmp_path / "out.parquet", *QI, *SA, "-l", 2)
    assert files(tmp_path) == ["out.parquet", "out.parquet.certificate.json", "people.parquet"]


def test_of_two_runs_at_once_the_second_is_refused(tmp_path: Path) -> None:
    with publishing(tmp_path) as process:
        error = refusal(2, "release", tmp_path / "people.parquet", tmp_path / "out.parquet", *QI, *SA, "-l", 3)
        assert "[SA102] another run is writing" in error
        process.terminate()
        process.communicate()
    assert files(tmp_path) == ["people.parquet"]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_signal_beside_a_rename_waits_until_release_and_certificate_have_their_names(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release, or its certificate, is renamed, and Ctrl-C comes right before or after that."""
    source, out = copy(tmp_path / "people.parquet"), tmp_path / "out.parquet"
    certificate = tmp_path / "out.parquet.certificate.json"
    succeed("release", source, out, *QI, *SA, "-l", 2)
    take_name = staging.take_name
    for l, interrupted in ((3, out), (2, certificate)):
        before = out.read_bytes(), certificate.read_bytes()

        def interrupt(unnamed: Path, path: Path, at: Path = interrupted) -> None:
            if path == at and moment == "before":
                signal.raise_signal(signal.SIGINT)
            take_name(unnamed, path)
            if path == at and moment == "after":
                signal.raise_signal(signal.SIGINT)

        with monkeypatch.context() as patched:
            patched.setattr(destinations, "take_name", interrupt)
            refusal(130, "release", source, out, *QI, *SA, "-l", l, "--force")
        assert out.read_bytes() != before[0]
        succeed("verify", out, "--certificate", certificate, "--allow-unproven")
        assert not [name for name in files(tmp_path) if name.startswith(staging.PREFIX)]


@pytest.mark.parametrize("moment", ["lock_folder", "remove_leftovers", "rmtree"])
def test_a_signal_while_the_folder_is_made_or_removed_leaves_none(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = copy(tmp_path / "people.parquet"), tmp_path / "out.parquet"
    holder = shutil if moment == "rmtree" else staging
    act = getattr(holder, moment)

    def interrupt(*arguments: object, **others: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return act(*arguments, **others)

    monkeypatch.setattr(holder, moment, interrupt)
    refusal(130, "release", source, out, *QI, *SA, "-l", 2)
    assert not [name for name in files(tmp_path) if name.startswith(staging.PREFIX)]


def test_what_a_kill_left_of_another_file_is_swept_up_too(tmp_path: Path) -> None:
    """As of a release that has the date in its name: no later run writes it again."""
    source = copy(tmp_path / "people.parquet")
    left = staging.staging_folder(tmp_path / "yesterday.parquet")
    left.mkdir()
    (left / "yesterday.parquet").write_text("never published")
    others = tmp_path / f"{staging.PREFIX}of somebody"
    others.mkdir()
    with staging.staging(tmp_path / "tomorrow.parquet") as unnamed:
        unnamed.write_text("another run is writing it")
        succeed("release", source, tmp_path / "today.parquet", *QI, *SA, "-l", 2)
        assert unnamed.exists() and not left.exists() and others.exists()


@pytest.mark.parametrize("command", ["certify", "report"])
def test_no_release_is_published_while_what_is_beside_it_is_being_measured(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a certificate of the release before would stand beside it."""
    source, out = copy(tmp_path / "people.parquet"), tmp_path / "out.parquet"
    succeed("release", source, out, *QI, *SA, "-l", 2)
    beside = tmp_path / ("out.parquet.certificate.json" if command == "certify" else "page.html")
    targets = ["--out", beside] if command == "certify" else [beside]
    measured, open_release = [], Session.open_release

    def publish_meanwhile(session: Session, file: Source, name: str) -> str:
        with pytest.raises(InvalidParameter, match="another run is writing"), staging.staging(beside):
            pass
        measured.append(file)
        return open_release(session, file, name)

    monkeypatch.setattr(Session, "open_release", publish_meanwhile)
    succeed(command, out, *targets, *QI, *SA, "-l", 2, "--force")
    assert len(measured) == 1


def test_a_database_that_appears_meanwhile_keeps_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs make a database, each for a table of its own."""
    source, database = copy(tmp_path / "people.parquet"), tmp_path / "new.duckdb"
    certify = release.certify_release

    def publish_meanwhile(*arguments: Any) -> object:
        with duckdb.connect(str(database)) as other:
            other.execute("CREATE TABLE theirs AS SELECT 1 AS n")
        return certify(*arguments)

    monkeypatch.setattr(release, "certify_release", publish_meanwhile)
    assert "already there" in refusal(2, "release", source, f"{database}:ours", *QI, *SA, "-l", 2, "--force")
    with duckdb.connect(str(database)) as con:
        assert con.execute("FROM theirs").fetchall() == [(1,)]


def test_a_table_that_is_refused_leaves_no_rows_in_the_file_of_its_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB writes many rows to the file before their COMMIT, and a ROLLBACK does not wipe them out."""
    source, database = tmp_path / "people.parquet", tmp_path / "shared.duckdb"
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE TABLE other AS SELECT 1 AS n")
        people = "SELECT i % 10 AS age, i % 3 AS zip, 'd' || i % 7 AS disease, md5(i::VARCHAR) AS note"
        con.execute(f"COPY ({people} FROM range(800_000) AS numbers(i)) TO '{source}'")

    size = database.stat().st_size

    def refuse(*_: object) -> object:
        raise NotPrivate("the release breaks l.", "Nothing was published.")

    monkeypatch.setattr(release, "certify_release", refuse)
    result = run("release", source, f"{database}:ours", *QI, *SA, "-l", 2, "--keep", "note")  # which also warns of note
    assert (result.exit_code, "[SA302] the release breaks l." in result.stderr) == (1, True), result.output
    assert database.stat().st_size == size
    assert files(tmp_path) == ["people.parquet", "shared.duckdb"]


def test_what_is_replaced_keeps_its_mode_and_reports_of_the_owner_are_private(tmp_path: Path) -> None:
    source, out = copy(tmp_path / "people.parquet"), tmp_path / "out.parquet"
    certificate = tmp_path / "out.parquet.certificate.json"
    succeed("release", source, out, *QI, *SA, "-l", 2)
    for path, mode in ((out, 0o640), (certificate, 0o604)):
        path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(out, 12345, 12345)
    succeed("release", source, out, *QI, *SA, "-l", 3, "--force")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (out, certificate)] == [0o640, 0o604]
    if os.geteuid() == 0:
        assert (out.stat().st_uid, out.stat().st_gid) == (12345, 12345)
    for name, options, mode in (("owner.html", ["--source", source], 0o600), ("all.html", ["--public"], 0o644)):
        succeed("report", out, tmp_path / name, *QI, *SA, "-l", 3, *options)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode
    (tmp_path / "all.html").chmod(0o644)
    succeed("report", out, tmp_path / "all.html", *QI, *SA, "-l", 3, "--source", source, "--force")
    assert stat.S_IMODE((tmp_path / "all.html").stat().st_mode) == 0o600


def test_a_group_that_cannot_be_kept_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bits for the group of the old file are no bits for another group."""
    old, new = tmp_path / "old", tmp_path / "new"
    for path in (old, new):
        path.write_text("")
    old.chmod(0o664)
    monkeypatch.setattr(staging, "change_owner", lambda *_: False)
    theirs = old.stat()
    monkeypatch.setattr(
        Path, "stat", lambda path, **_: os.stat_result((*theirs[:5], theirs[5] + (path == old), *theirs[6:]))
    )
    staging.keep_owner(new, old)
    monkeypatch.undo()
    assert stat.S_IMODE(new.stat().st_mode) == 0o604
