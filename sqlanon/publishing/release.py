"""Publish a table, with its certificate: what was promised and demanded is checked on what was written, before it
takes its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..arguments import fold
from ..certificate import Certificate, certify
from ..certificate.checking import OF_BOUND
from ..errors import BrokenPromise, NotPrivate, WrongColumn
from ..phases import phase
from .destinations import accompanied, prepare, written
from .publication import Publication, refuse_impossible, refuse_older_certificate
from .reports import refuse_without_reports, report_text
from .session import Session, call
from .taxonomies import open_taxonomies


def publish(session: Session, publication: Publication, force: bool) -> Certificate:
    """Publish; return the certificate, whether it is written or not."""
    refuse_impossible(publication)
    refuse_without_reports(publication)
    prepare(session, publication.target, publication.companions, force)
    refuse_older_certificate(publication)
    arguments, query = open_source(session, publication)
    with (
        phase(f"publishing with {publication.function}"),
        accompanied(publication.companions, force) as write,
        written(session, publication.target, query, force) as name,
    ):
        certificate = certify_release(session, publication, arguments, name)
        refuse_broken(certificate, publication)
        write(texts_about(session, publication, arguments, name, certificate))
    return certificate


def rehearse(session: Session, publication: Publication) -> Certificate:
    """Do all that publishing does, but write nothing; return the certificate that the release would have."""
    refuse_impossible(publication)
    refuse_without_reports(publication)
    arguments, (select, parameters) = open_source(session, publication)
    with phase(f"trying {publication.function}"):
        session.run(f"CREATE TABLE release AS {select}", parameters)
        certificate = certify_release(session, publication, arguments, "release")
    refuse_broken(certificate, publication)
    return certificate


def open_source(session: Session, publication: Publication) -> tuple[dict[str, Any], tuple[str, list[object]]]:
    """The arguments of the release function, and the statement that calls it."""
    arguments = publication.named_arguments
    arguments["tbl"] = session.open(publication.source, "source")
    if publication.columns is not None:
        refuse_other_columns(session.columns(arguments["tbl"]), publication.columns)
    if taxonomy := open_taxonomies(session, publication.taxonomy):
        arguments["taxonomy"] = taxonomy
    return arguments, call(publication.function, **arguments)


def refuse_other_columns(columns: Sequence[str], known: Sequence[str]) -> None:
    """The source has all columns that are known, and no others: a new one never slips out."""
    there, wanted = ({fold(name): name for name in names} for names in (columns, known))
    if missing := [repr(name) for key, name in wanted.items() if key not in there]:
        raise WrongColumn(f"the policy names {plural('column', missing)}, which the source lacks.", "Was it renamed?")
    if new := [repr(name) for key, name in there.items() if key not in wanted]:
        raise WrongColumn(
            f"the policy has no role for {plural('column', new)} of the source.",
            "Add each to [columns]: as identifier (it is dropped), quasi-identifier, sensitive or keep.",
        )


def plural(noun: str, names: Sequence[str]) -> str:
    """A noun and the names of one or several."""
    return f"{noun}{'s' if len(names) > 1 else ''} {', '.join(names)}"


def texts_about(
    session: Session, publication: Publication, arguments: Mapping[str, Any], release: str, certificate: Certificate
) -> dict[Path, str]:
    """What goes into the files that tell of the release."""
    texts = {} if publication.certificate is None else {publication.certificate: certificate.to_json()}
    for path, public in ((publication.report, False), (publication.public_report, True)):
        if path is not None:
            texts[path] = report_text(session, arguments, release, certificate, public)
    return texts


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
