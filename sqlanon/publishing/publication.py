"""A publication: source, release function and its arguments, and targets."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..approval import ApprovalRecord
from ..errors import InvalidParameter
from ..functions import signature
from .engine import AUTOMATIC, Engine
from .paths import CSV, LONGEST_NAME, File, Source, Stream, Table, Target, file_of, follow, has_file, is_same

ENDING = ".certificate.json"


@dataclass(frozen=True)
class Publication:
    """A release to be made.

    `arguments` are those of the release function but for tbl and taxonomy; those that are None are left out. `taxonomy`
    has paths or SQL by column. `bounds` are demanded of the release, beside what its function promises; `most` has the
    highest value of the measures `risk` and `gcp`. `certificate`, `report` and `public_report` are paths, or None where
    none is wanted. `columns`, if they are there, are all that the source may have. With `strict`, rows may not stand
    for people where the source has an identifier that repeats, unless `rows_are_people`; and of the columns that are
    published as they are only those in `identifying` may lead to people. `types` has words for the types that columns
    must have, `rows` the bounds `min_rows` and `max_rows` of the source. `inputs` are files that must not be
    overwritten, beside the source. `record` is what the owner's report shows to whoever approves the release.
    `engine` has the settings of the session.
    """

    source: Source
    target: Target
    function: str
    arguments: Mapping[str, Any]
    taxonomy: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)
    certificate: Path | None = None
    report: Path | None = None
    public_report: Path | None = None
    columns: tuple[str, ...] | None = None
    strict: bool = False
    rows_are_people: bool = False
    identifying: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()
    record: ApprovalRecord = field(default_factory=ApprovalRecord)
    engine: Engine = AUTOMATIC

    @property
    def named_arguments(self) -> dict[str, Any]:
        """The arguments that are there, with the algorithm, which has a default."""
        named = {name: value for name, value in self.arguments.items() if value is not None}
        return {"algo": signature(self.function)["algo"], **named}

    @property
    def companions(self) -> list[Path]:
        """The files that tell of the release, in the order in which they appear."""
        return [path for path in (self.certificate, self.report, self.public_report) if path is not None]


def release_function(parameters: Collection[str]) -> str:
    """The release function that has these parameters: k, l, tau with l, or several bounds together."""
    functions = {("k",): "kanonymous", ("l",): "ldiverse", ("l", "tau"): "taudiverse", ("k", "l", "tau"): "taudiverse"}
    function = functions.get(tuple(sorted(parameters)))
    if function is not None:
        return function
    if not parameters or "tau" in parameters:
        raise InvalidParameter(
            "these parameters do not go together." if parameters else "k, l or another bound is missing.",
            "Give k, or l (no group then has fewer than l rows), or several bounds; or tau and l, with or without k.",
        )
    return "anonymize"


def refuse_impossible(publication: Publication) -> None:
    """Refuse what can never be written; a release never takes the place of what it was made from."""
    source, target = publication.source, publication.target
    if publication.arguments.get("format") == "typed" and is_csv(target):
        raise InvalidParameter("a CSV file has no types.", "Write typed releases to Parquet or to a DuckDB table.")
    if is_same(source, target):
        raise InvalidParameter("OUT is the source itself, or a part of it.", "Write the release somewhere else.")
    used = [follow(path) for path in publication.inputs]
    mine = file_of(target)
    same_database = mine is not None and isinstance(target, Table) and has_file(source, mine)
    for path in [*([mine] if mine is not None and not same_database else []), *publication.companions]:
        if has_file(source, path) or follow(path) in used:
            raise InvalidParameter(f"{str(path)!r} is wanted for two things.", "Choose another path for one of them.")
        used.append(follow(path))


def is_csv(target: Target) -> bool:
    """Whether a release is written as CSV."""
    return isinstance(target, Stream) or (isinstance(target, File) and target.format.name == CSV.name)


def certificate_path(target: Target) -> Path:
    """The default path of a certificate: beside its release."""
    path = path_beside(target)
    if path is None:
        raise InvalidParameter(
            "no file can have the name of a certificate beside the release: it is too long, or has a slash.",
            "Say where the certificate goes.",
        )
    return path


def path_beside(target: Target) -> Path | None:
    """The path for a certificate beside a release; None where there is none, or where no file can have that name."""
    path = file_of(target)
    if path is None:
        return None
    named = [path.name]
    if isinstance(target, Table):
        named += [*([] if target.schema == "main" else [target.schema]), target.table]
    name = f"{'.'.join(named)}{ENDING}"
    possible = Path(name).name == name and "\0" not in name and len(os.fsencode(name)) <= LONGEST_NAME
    return path.with_name(name) if possible else None


def refuse_older_certificate(publication: Publication) -> None:
    """A certificate that goes elsewhere, or is not wanted, leaves none beside the release that is about another.

    That is so beside a symlink, and beside the file that it leads to.
    """
    target = publication.target
    for one in (target, follow_target(target)):
        path = path_beside(one)
        if path is not None and path.exists() and not is_path(path, publication.certificate):
            raise InvalidParameter(f"{str(path)!r} is the certificate of an older release.", "Remove it first.")


def follow_target(target: Target) -> Target:
    """The file, or the table of the database, that symlinks lead to."""
    if isinstance(target, File):
        return replace(target, path=follow(target.path))
    return replace(target, database=follow(target.database)) if isinstance(target, Table) else target


def is_path(path: Path, other: Path | None) -> bool:
    """Whether two paths are of one file."""
    return other is not None and follow(path) == follow(other)
