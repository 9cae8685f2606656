"""Where a release goes, and the files that tell of it. Each appears under its name when all of it is there, or not at
all.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..errors import InvalidParameter, WrongColumn
from .places import File, Place, Table
from .session import Session, literal, quoted

Query = tuple[str, Sequence[object]]
"""A SELECT and its parameters."""

FORCE = "With --force (in Python, force=True) it is overwritten."

Texts = Mapping[Path, str]
"""What goes into files, by their paths."""


@contextmanager
def written(session: Session, place: Place, query: Query, force: bool) -> Iterator[str]:
    """Write what a query answers; meanwhile, under the name that this gives, it can be read. Then it is published."""
    if isinstance(place, File):
        with beside(place.path, force) as path:
            write_file(session, File(path, place.format), query)
            yield session.open_release(File(path, place.format), "release")
    elif place.database.is_file():
        with transaction(session):
            yield write_table(session, place, query, force)
    else:
        with beside(place.database, force) as path:
            try:
                yield write_table(session, Table(path, place.schema, place.table), query, force)
                session.run(f"CHECKPOINT {session.attach(path, 'READ_WRITE')}")
            finally:
                session.detach(path)


@contextmanager
def accompanied(paths: Sequence[Path], force: bool) -> Iterator[Callable[[Texts], None]]:
    """Files that tell of a release, such as its certificate: what this gives writes them. They take their names later.

    The release is published first, inside of this, and then they are, in their order. What had their names before is
    moved away when they are written, and comes back if something goes wrong. So a kill may leave a release without
    its certificate, but never a certificate beside a release that it is not about.
    """
    with ExitStack() as stack:
        temporary = {path: stack.enter_context(beside(path, force)) for path in reversed(paths)}
        moved: dict[Path, Path] = {}
        stack.enter_context(put_back(moved))

        def write(texts: Texts) -> None:
            for path, text in texts.items():
                temporary[path].write_text(text, encoding="utf-8")
            for path in paths:
                if path.exists():
                    moved[path] = hidden(path)
                    path.replace(moved[path])

        yield write


@contextmanager
def put_back(moved: Mapping[Path, Path]) -> Iterator[None]:
    """Files that were moved away go back if something goes wrong; otherwise they are gone."""
    try:
        yield
    except BaseException:
        for path, away in moved.items():
            away.replace(path)
        raise
    for away in moved.values():
        away.unlink()


def prepare(session: Session, out: Place, companions: Sequence[Path], force: bool) -> None:
    """Refuse early what cannot be written here and now."""
    for path in companions:
        refuse_existing(path, force)
    if isinstance(out, File):
        refuse_existing(out.path, force)
    elif out.database.is_file():
        refuse_table(session, session.attach(out.database, "READ_WRITE"), out, force)
    else:
        refuse_existing(out.database, force)


def refuse_existing(path: Path, force: bool) -> None:
    """Nothing is overwritten unless it is wanted, and nothing but files ever."""
    if path.exists() and not (force and path.is_file()):
        raise InvalidParameter(f"{str(path)!r} is already there.", FORCE)
    if not path.parent.is_dir():
        raise WrongColumn(f"there is no folder {str(path.parent)!r}.")


@contextmanager
def beside(path: Path, force: bool) -> Iterator[Path]:
    """A new path in the same folder; what is there in the end gets the real name, unless something went wrong."""
    refuse_existing(path, force)
    temporary = hidden(path)
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        refuse_existing(path, force)  # somebody else may have written it meanwhile
        temporary.replace(path)
    finally:
        for leftover in (temporary, temporary.with_name(f"{temporary.name}.wal")):
            leftover.unlink(missing_ok=True)


def hidden(path: Path) -> Path:
    """A path in the same folder that nobody has, with the same ending, by which files are read."""
    return path.with_name(f".{secrets.token_hex(4)}.tmp.{path.name}")


def write_text(path: Path, text: str, force: bool) -> None:
    """Write a file of text, all of it or nothing."""
    with beside(path, force) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_file(session: Session, file: File, query: Query) -> None:
    """Write a file; DuckDB need not write beside it once more."""
    select, parameters = query
    session.run(f"COPY ({select}) TO {literal(str(file.path))} ({file.format.copy}, USE_TMP_FILE false)", parameters)


@contextmanager
def transaction(session: Session) -> Iterator[None]:
    """All that is written to a database, or nothing."""
    session.run("BEGIN")
    try:
        yield
    except BaseException:
        session.run("ROLLBACK")
        raise
    session.run("COMMIT")


def refuse_table(session: Session, alias: str, table: Table, force: bool) -> None:
    """No table is replaced unless it is wanted."""
    if not force and session.has_table(alias, table):
        raise InvalidParameter(f"there is a table {table.table!r} already.", FORCE)


def write_table(session: Session, table: Table, query: Query, force: bool) -> str:
    """Write a table; return its full name."""
    alias = session.attach(table.database, "READ_WRITE")
    refuse_table(session, alias, table, force)
    session.run(f"CREATE SCHEMA IF NOT EXISTS {quoted(alias)}.{quoted(table.schema)}")
    select, parameters = query
    target = ".".join(map(quoted, (alias, table.schema, table.table)))
    session.run(f"CREATE OR REPLACE TABLE {target} AS {select}", parameters)
    return target
