"""Write a release, and the files about it, such as its certificate. Each appears under
its name when all of it is there, or not at all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

from ..errors import InvalidParameter, WrongColumn
from ..phases import phase
from .paths import CSV, PARQUET, File, Stream, Table, Target, follow
from .postponing import postpone_signals
from .session import Session, literal, quote
from .staging import flush, keep_owner, staging, take_name

FORCE = "With --force (in Python, force=True) it is overwritten."

PRIVATE = 0o600
"""The mode of a file that is its owner's alone."""


class Text(NamedTuple):
    """The text of a file, and whether it is for its owner alone."""

    content: str
    private: bool = False


Texts = Mapping[Path, Text]

CERTIFICATE = "sqlanon_certificate"
"""The key of Parquet's metadata, and the word in the comment of a table, that names the certificate of a release."""


@contextmanager
def write_release(
    session: Session, target: Target, query: str, certificate: Path | None, force: bool, publishing: Publishing
) -> Iterator[str]:
    """Write the answer of a query. It can be read under the name that this gives; in the end it is published."""
    if isinstance(target, Stream):
        with standard_output(session.temporary_folder, publishing) as file:
            write_file(session, file, query, None)
            yield session.open_release(file, "release")
    elif isinstance(target, File):
        with stage_file(target.path, force, publishing) as path:
            write_file(session, File(path, target.format), query, certificate)
            keep_owner(path, target.path)
            yield session.open_release(File(path, target.format), "release")
    elif target.database.is_file():  # blocks of a table that is rolled back stay in the file of its database
        with (
            staging(target.database) as path,
            write_temporary_table(session, Table(path, target.schema, target.table), query, None) as name,
        ):
            yield name
            with transaction(session, publishing):
                write_table(session, target, f"FROM {name}", certificate, force)
    else:
        with (
            stage_file(target.database, False, publishing) as path,  # one that appears meanwhile has other tables
            write_temporary_table(session, Table(path, target.schema, target.table), query, certificate) as name,
        ):
            yield name
            session.run(f"CHECKPOINT {session.attach(path, 'READ_WRITE')}")


@contextmanager
def write_temporary_table(session: Session, table: Table, query: str, certificate: Path | None) -> Iterator[str]:
    """Write a table to another database, which is detached in the end; give the table's full name."""
    try:
        yield write_table(session, table, query, certificate, False)
    finally:
        session.detach(table.database)


@contextmanager
def standard_output(folder: Path, publishing: Publishing) -> Iterator[File]:
    """A file of CSV that is its owner's alone; what is there in the end goes to standard output."""
    with TemporaryDirectory(dir=folder) as private:
        file = File(Path(private) / "output.csv", CSV, "standard output")
        file.path.touch(mode=PRIVATE)
        yield file
        try:
            with file.path.open("rb") as written:
                copyfileobj(written, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            drop_output()
            raise InvalidParameter("nobody read standard output to its end.", "The release is not whole.") from None
        publishing.done = True


def drop_output() -> None:
    """Drop standard output, which nobody reads any more: Python must not complain about it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@dataclass
class Publishing:
    """Whether a release has got its name."""

    done: bool = False


@contextmanager
def write_companions(paths: Sequence[Path], force: bool, publishing: Publishing) -> Iterator[Callable[[Texts], None]]:
    """Give the function that writes files about a release, such as its certificate. They take their names later.

    The release is published first, inside of this, and then they are, in their order; Ctrl-C waits until all have their
    names. What had their names before is moved away when they are written, and comes back if the release is not
    published. So a kill may leave a release without its certificate, but never a certificate beside a release that it
    is not about.
    """
    with ExitStack() as stack:
        for path in paths:
            refuse_existing(path, force)
        waiting = {path: stack.enter_context(staging(path)) for path in paths}
        moved: dict[Path, Path] = {}

        def write(texts: Texts) -> None:
            for path, text in texts.items():
                write_unnamed(waiting[path], path, text)
            if texts:  # a release alone gets its name in one step, and what is sent to a pipe must be stopped
                stack.enter_context(postpone_signals())
            for path in paths:
                if path.exists():
                    moved[path] = waiting[path].with_name("replaced" if path.name != "replaced" else "replaced_too")
                    follow(path).replace(moved[path])

        try:
            yield write
        except BaseException:
            if not publishing.done:
                for path, away in moved.items():
                    away.replace(follow(path))
                raise
            give_names(waiting)
            raise
        give_names(waiting)


def give_names(waiting: Mapping[Path, Path]) -> None:
    """Give files their names, in their order."""
    for path, unnamed in waiting.items():
        take_name(unnamed, path)


def prepare(session: Session, out: Target, companions: Sequence[Path], force: bool) -> None:
    """Refuse early what cannot be written here and now."""
    for path in companions:
        refuse_existing(path, force)
    if isinstance(out, Stream):
        return
    if isinstance(out, File):
        refuse_existing(out.path, force)
    elif out.database.is_file():
        refuse_table(session, session.attach(out.database, "READ_WRITE"), out, force)
    else:
        refuse_existing(out.database, force)


def refuse_existing(path: Path, force: bool) -> None:
    """Refuse to overwrite a file without `force`, or anything else."""
    if path.exists() and not (force and path.is_file()):
        raise InvalidParameter(f"{str(path)!r} is already there.", FORCE)
    for folder in (path.parent, follow(path).parent):
        if not folder.is_dir():
            raise WrongColumn(f"there is no folder {str(folder)!r}.")


@contextmanager
def stage_file(path: Path, force: bool, publishing: Publishing | None = None) -> Iterator[Path]:
    """A path where nobody looks; what is there in the end gets the real name, unless something went wrong."""
    publishing = publishing or Publishing()
    refuse_existing(path, force)
    with staging(path) as unnamed:
        yield unnamed
        refuse_existing(path, force)  # somebody else may have written it meanwhile
        try:
            with postpone_signals():
                take_name(unnamed, path)
        finally:
            publishing.done = not unnamed.exists()


def write_text(path: Path, text: Text, force: bool) -> None:
    """Write a file of text, all of it or nothing."""
    with stage_file(path, force) as unnamed:
        write_unnamed(unnamed, path, text)


def write_unnamed(unnamed: Path, path: Path, text: Text) -> None:
    """Write a text where nobody looks, with the mode and the owner of what it replaces; a private one is private."""
    unnamed.write_text(text.content, encoding="utf-8", newline="\n")
    keep_owner(unnamed, path)
    if text.private:
        unnamed.chmod(PRIVATE)


def write_file(session: Session, file: File, query: str, certificate: Path | None) -> None:
    """Write a file; DuckDB need not write beside it once more. Parquet has room for the name of the certificate."""
    options = [file.format.copy, "USE_TMP_FILE false"]
    if certificate is not None and file.format is PARQUET:
        options.append(f"KV_METADATA {{{CERTIFICATE}: {literal(certificate.name)}}}")
    to = f"{literal(str(file.path))} ({', '.join(options)})"
    with phase("writing the release") as writing:
        writing.rows = session.run(f"COPY ({query}) TO {to}").only["Count"]
    flush(file.path)  # so that it gets its name within no time, later


@contextmanager
def transaction(session: Session, publishing: Publishing) -> Iterator[None]:
    """All that is written to a database, or nothing."""
    session.run("BEGIN")
    try:
        yield
        with postpone_signals():
            session.run("COMMIT")
            publishing.done = True
    except BaseException:
        if not publishing.done:
            with suppress(duckdb.TransactionException):  # a COMMIT that fails has rolled back
                session.run("ROLLBACK")
        raise


def refuse_table(session: Session, alias: str, table: Table, force: bool) -> None:
    """Refuse to replace a table without `force`."""
    if not force and session.has_table(alias, table):
        raise InvalidParameter(f"there is a table {table.table!r} already.", FORCE)


def write_table(session: Session, table: Table, query: str, certificate: Path | None, force: bool) -> str:
    """Write a table, with a comment that names its certificate; return its full name."""
    alias = session.attach(table.database, "READ_WRITE")
    refuse_table(session, alias, table, force)
    session.run(f"CREATE SCHEMA IF NOT EXISTS {quote(alias)}.{quote(table.schema)}")
    target = ".".join(map(quote, (alias, table.schema, table.table)))
    with phase("writing the release") as writing:
        writing.rows = session.run(f"CREATE OR REPLACE TABLE {target} AS {query}").only["Count"]
    if certificate is not None:
        session.run(f"COMMENT ON TABLE {target} IS {literal(f'{CERTIFICATE}: {certificate.name}')}")
    return target
