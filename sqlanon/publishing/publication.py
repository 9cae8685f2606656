"""What is published, how, and where it goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InvalidParameter
from ..functions import signature
from .places import File, Place, file_of

ENDING = ".certificate.json"


@dataclass(frozen=True)
class Publication:
    """A release to be made.

    `arguments` are those of the release function but for tbl and taxonomy; those that are None are left out. `taxonomy`
    has places or SQL by column. `bounds` are demanded of the release, beside what its function promises; `most` has the
    highest value of the measures `risk` and `gcp`. `certificate`, `report` and `public_report` are paths, or None where
    none is wanted. `columns`, if they are there, are all that the source may have. `inputs` are files that must not be
    overwritten, beside the source.
    """

    source: Place
    target: Place
    function: str
    arguments: Mapping[str, Any]
    taxonomy: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)
    certificate: Path | None = None
    report: Path | None = None
    public_report: Path | None = None
    columns: tuple[str, ...] | None = None
    inputs: tuple[Path, ...] = ()

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
    """The release function that has these parameters: some of k, l and tau."""
    functions = {("k",): "kanonymous", ("l",): "ldiverse", ("l", "tau"): "taudiverse"}
    function = functions.get(tuple(sorted(parameters)))
    if function is None:
        raise InvalidParameter(
            "these parameters do not go together." if parameters else "k, l or tau is missing.",
            "Give k, or l (no group then has fewer than l rows), or tau and l.",
        )
    return function


def refuse_impossible(publication: Publication) -> None:
    """Refuse what can never be written; a release never takes the place of what it was made from."""
    source, target = publication.source, publication.target
    if publication.arguments.get("format") == "typed" and isinstance(target, File) and target.format.name == "csv":
        raise InvalidParameter("a CSV file has no types.", "Write typed releases to Parquet or to a DuckDB table.")
    if source == target:
        raise InvalidParameter("OUT is the source itself.", "Write the release somewhere else.")
    used = [file_of(source), *publication.inputs]
    outputs = [*([file_of(target)] if file_of(target) != file_of(source) else []), *publication.companions]
    for path in outputs:
        if path in used:
            raise InvalidParameter(f"{str(path)!r} is wanted for two things.", "Choose another path for one of them.")
        used.append(path)


def certificate_path(target: Place) -> Path:
    """Where a certificate goes unless somebody says otherwise: beside its release."""
    path = path_beside(target)
    if path is None:
        raise InvalidParameter("the table's name cannot be in the name of a file.", "Say where the certificate goes.")
    return path


def path_beside(target: Place) -> Path | None:
    """The path for a certificate beside a release; None for a table whose name no file can have."""
    if isinstance(target, File):
        return target.path.with_name(f"{target.path.name}{ENDING}")
    named = [target.database.name, *([] if target.schema == "main" else [target.schema]), target.table]
    name = f"{'.'.join(named)}{ENDING}"
    return target.database.with_name(name) if Path(name).name == name and "\0" not in name else None


def refuse_older_certificate(publication: Publication) -> None:
    """A certificate that goes elsewhere, or is not wanted, leaves none beside the release that is about another."""
    path = path_beside(publication.target)
    if path is not None and path != publication.certificate and path.exists():
        raise InvalidParameter(f"{str(path)!r} is the certificate of an older release.", "Remove it first.")
