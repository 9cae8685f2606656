"""A PostgreSQL server of our own for a test session: in a temporary directory, on a free loopback port, gone after."""

from __future__ import annotations

import csv
import io
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

NULL = "\\N"
PATIENCE = 180.0
"""Seconds to wait for a server that starts, answers or stops: a busy machine takes its time."""


class NoServer(Exception):
    """PostgreSQL is not installed, or does not start here."""


@dataclass(frozen=True)
class Answer:
    """The output of psql: the names of the columns, and rows of text or None."""

    columns: list[str]
    rows: list[tuple[str | None, ...]]


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    psql: str
    port: int

    def execute(self, sql: str) -> str:
        """Run statements in one transaction and return what psql prints; a failure is an AssertionError."""
        to_server = ["--host=127.0.0.1", f"--port={self.port}", "--username=postgres", "--dbname=postgres"]
        output = ["--csv", "--quiet", "--no-psqlrc", "--single-transaction", f"--pset=null={NULL}"]
        done = subprocess.run(
            [self.psql, *to_server, *output, "--set=ON_ERROR_STOP=1", "--file=-"],
            input=sql,
            capture_output=True,
            text=True,
            env={**os.environ, "PGCLIENTENCODING": "UTF8", "PGOPTIONS": "--client-min-messages=warning"},
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{done.stderr}\n{sql}"
        return done.stdout

    def query(self, sql: str) -> Answer:
        """Run one SELECT."""
        header, *rows = csv.reader(io.StringIO(self.execute(sql)))
        return Answer(header, [tuple(None if cell == NULL else cell for cell in row) for row in rows])


@pytest.fixture(scope="session", name="postgres")
def postgres_server() -> Iterator[Postgres]:
    """A server that any test may create tables in. Without one, the test is skipped."""
    directory = Path(tempfile.mkdtemp(prefix="sqlanon-postgres-"))
    server: subprocess.Popen[bytes] | None = None
    try:
        try:
            programs = {name: find_program(name) for name in ("initdb", "postgres", "psql")}
            account = server_account(directory)
            data = initialize(programs["initdb"], directory, account)
            port = free_port()
            server = start(programs["postgres"], data, port, account)
            wait_until_ready(server, port, directory / "log")
        except NoServer as reason:
            pytest.skip(f"no PostgreSQL: {reason}")
        yield Postgres(programs["psql"], port)
    finally:
        if server is not None:
            stop(server)
        shutil.rmtree(directory, ignore_errors=True)


def find_program(name: str) -> str:
    """A program on the PATH, or where Debian puts it: the newest version."""
    versions = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]), reverse=True
    )
    found = versions[0] if versions else shutil.which(name)
    if found is None:
        raise NoServer(f"{name} is not installed.")
    return str(found)


def server_account(directory: Path) -> dict[str, object]:
    """How to start a process that PostgreSQL accepts: it refuses root, so root lends the directory to another user."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(directory, user.pw_uid, user.pw_gid)
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise NoServer("it does not run as root, and there is no user postgres or nobody.")


def initialize(initdb: str, directory: Path, account: dict[str, object]) -> Path:
    """A data directory in which everybody on this machine is trusted and text sorts by its bytes, as in DuckDB."""
    data = directory / "data"
    options = ["--auth=trust", "--username=postgres", "--no-sync", "--no-locale", "--encoding=UTF8"]
    done = run_as(account, [initdb, *options, f"--pgdata={data}"], directory)
    if done.returncode != 0:
        raise NoServer(f"initdb failed: {done.stderr.strip()}")
    return data


def run_as(account: dict[str, object], command: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=PATIENCE, **account)  # type: ignore[call-overload, no-any-return]
    except (OSError, subprocess.SubprocessError) as problem:
        raise NoServer(f"{Path(command[0]).name} does not run: {problem}") from problem


def start(postgres: str, data: Path, port: int, account: dict[str, object]) -> subprocess.Popen[bytes]:
    settings = {
        "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off", "full_page_writes": "off",
        "synchronous_commit": "off", "autovacuum": "off", "jit": "off", "max_connections": "10",
    }  # fmt: skip
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    with (data.parent / "log").open("wb") as log:
        try:
            return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
                [postgres, "-D", str(data), "-p", str(port), *options],
                cwd=data.parent,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                **account,
            )
        except OSError as problem:
            raise NoServer(f"postgres does not start: {problem}") from problem


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_ready(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait for the line that says so: the port alone opens while the server still recovers."""
    until = time.monotonic() + PATIENCE
    while "database system is ready to accept connections" not in log.read_text(errors="replace"):
        if server.poll() is not None or time.monotonic() > until:
            stop(server)
            raise NoServer(f"it did not start on port {port}: {log.read_text(errors='replace')[-500:].strip()}")
        time.sleep(0.05)


def stop(server: subprocess.Popen[bytes]) -> None:
    """A fast shutdown (SIGINT), and harsher ones if it is not heard."""
    for stronger in (lambda: server.send_signal(2), server.terminate, server.kill):
        if server.poll() is not None:
            break
        stronger()
        try:
            server.wait(PATIENCE / 2)
        except subprocess.TimeoutExpired:
            continue
    server.wait()
