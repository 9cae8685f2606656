"""Publish a table, with its certificate: what was promised and demanded is checked on what was written, before it
takes its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..certificate import Certificate, certify
from ..certificate.checking import OF_BOUND
from ..errors import BrokenPromise, InvalidParameter, NotPrivate
from ..functions import signature
from ..phases import phase
from .destinations import accompanied, prepare, written
from .places import File, Place
from .session import Session, call
from .taxonomies import open_taxonomies

ENDING = ".certificate.json"


@dataclass(frozen=True)
class Publication:
    """What is published, how, and where it goes.

    `arguments` are those of the release function but for tbl and taxonomy; those that are None are left out. `taxonomy`
    has places or SQL by column. `bounds` are demanded of the release, beside what its function promises; `most` has the
    highest value of measures. `certificate` is None where none is wanted.
    """

    source: Place
    target: Place
    function: str
    arguments: Mapping[str, Any]
    taxonomy: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)
    certificate: Path | None = None

    @property
    def named_arguments(self) -> dict[str, Any]:
        """The arguments that are there, with the algorithm, which has a default."""
        named = {name: value for name, value in self.arguments.items() if value is not None}
        return {"algo": signature(self.function)["algo"], **named}


def publish(session: Session, publication: Publication, force: bool) -> Certificate:
    """Publish; return the certificate, whether it is written or not."""
    companions = [path for path in (publication.certificate,) if path is not None]
    prepare(session, publication.source, publication.target, companions, force)
    arguments, query = open_source(session, publication)
    with (
        phase(f"publishing with {publication.function}"),
        accompanied(companions, force) as write,
        written(session, publication.target, query, force) as name,
    ):
        certificate = certify_release(session, publication, arguments, name)
        refuse_broken(certificate, publication)
        write({path: certificate.to_json() for path in companions})
    return certificate


def open_source(session: Session, publication: Publication) -> tuple[dict[str, Any], tuple[str, list[object]]]:
    """The arguments of the release function, and the statement that calls it."""
    refuse_typed_text(publication)
    arguments = publication.named_arguments
    if taxonomy := open_taxonomies(session, publication.taxonomy):
        arguments["taxonomy"] = taxonomy
    arguments["tbl"] = session.open(publication.source, "source")
    return arguments, call(publication.function, **arguments)


def certify_release(
    session: Session, publication: Publication, arguments: Mapping[str, Any], release: str
) -> Certificate:
    """The certificate of what was written."""
    bounds: Mapping[str, Any] = publication.bounds
    with phase("measuring the release"):
        return certify(
            session.con,
            release,
            arguments["qi"],
            arguments.get("sa"),
            function=publication.function,
            arguments=arguments,
            src=arguments["tbl"],
            **bounds,
        )


def refuse_typed_text(publication: Publication) -> None:
    """A CSV file has no types."""
    target = publication.target
    if publication.arguments.get("format") == "typed" and isinstance(target, File) and target.format.name == "csv":
        raise InvalidParameter("a CSV file has no types.", "Write typed releases to Parquet or to a DuckDB table.")


def refuse_broken(certificate: Certificate, publication: Publication) -> None:
    """Nothing is published that breaks a bound."""
    demanded = [*broken_bounds(certificate, publication), *exceeded(certificate, publication)]
    if demanded:
        raise NotPrivate(f"the release breaks {', '.join(demanded)}.", "Nothing was published.")
    if certificate.holds is False:
        raise BrokenPromise(f"what was written breaks {', '.join(certificate.broken)}")


def broken_bounds(certificate: Certificate, publication: Publication) -> Iterator[str]:
    """The bounds that were demanded and do not hold."""
    measured: Sequence[Mapping[str, Any]] = certificate.measures
    for name in certificate.broken:
        if name in publication.bounds:
            values = [each[OF_BOUND[name]] for each in measured if name in each["broken"]]
            shown = " and ".join("not known" if value is None else f"{value:.6g}" for value in values)
            yield f"{name} = {publication.bounds[name]:g}: it is {shown}"


def exceeded(certificate: Certificate, publication: Publication) -> Iterator[str]:
    """The measures that are above what was allowed."""
    measured = {"risk": certificate.risk["prosecutor"], "gcp": (certificate.loss or {}).get("gcp")}
    for name, most in publication.most.items():
        value = measured[name]
        if value is not None and value > most:
            yield f"{name} <= {most:g}: it is {value:.6g}"


def certificate_path(target: Place) -> Path:
    """Where a certificate goes unless somebody says otherwise: beside its release."""
    if isinstance(target, File):
        return target.path.with_name(f"{target.path.name}{ENDING}")
    named = [target.database.name, *([] if target.schema == "main" else [target.schema]), target.table]
    name = f"{'.'.join(named)}{ENDING}"
    if Path(name).name != name or "\0" in name:
        raise InvalidParameter("the table's name cannot be in the name of a file.", "Say where the certificate goes.")
    return target.database.with_name(name)
