"""Publish a table, with its certificate: what was promised and demanded is checked on what was written, before it
takes its name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..arguments import fold
from ..bounds import BY_NAME
from ..calling import temporary_table, write
from ..certificate import Certificate, certify
from ..errors import BrokenPromise, NotPrivate, WrongColumn
from ..phases import phase
from ..release.request import Release, read_release
from .column_types import refuse_other_types
from .destinations import Publishing, Text, prepare, write_companions, write_release
from .paths import Table
from .publication import Publication, refuse_impossible, refuse_older_certificate
from .reports import refuse_without_reports, report_text
from .session import SOURCE, Session, quote
from .summary import OWNER_DIGITS
from .taxonomies import open_taxonomies


class Outcome(NamedTuple):
    """The certificate of a release, and what only its owner may know: the loss against the source."""

    certificate: Certificate
    gcp: float | None


class OpenSource(NamedTuple):
    """The call of the release function, the statement that answers the release, and where people are counted."""

    request: Release
    arguments: dict[str, Any]
    query: str
    people: str | None


def publish(session: Session, publication: Publication, force: bool) -> Outcome:
    """Publish; return the certificate, whether it is written or not."""
    refuse_impossible(publication)
    refuse_without_reports(publication)
    prepare(session, publication.target, publication.companions, force)
    refuse_older_certificate(publication)
    publishing = Publishing()
    with (
        phase(f"publishing with {publication.function}") as whole,
        open_source(session, publication) as opened,
        write_companions(publication.companions, force, publishing) as write,
        write_release(session, publication.target, opened.query, publication.certificate, force, publishing) as name,
    ):
        certificate = certify_release(session, publication, opened, name)
        gcp = measure_loss(session, opened.arguments, name)
        refuse_broken(certificate, publication, gcp)
        write(companion_texts(session, publication, opened, name, certificate))
        whole.rows = certificate.rows
    return Outcome(certificate, gcp)


def rehearse(session: Session, publication: Publication) -> Outcome:
    """Do all that publishing does, but write nothing; return the certificate that the release would have."""
    refuse_impossible(publication)
    refuse_without_reports(publication)
    with phase(f"trying {publication.function}") as whole, open_source(session, publication) as opened:
        whole.rows = session.run(f"CREATE TABLE release AS {opened.query}").only["Count"]
        certificate = certify_release(session, publication, opened, "release")
        gcp = measure_loss(session, opened.arguments, "release")
        refuse_broken(certificate, publication, gcp)
    return Outcome(certificate, gcp)


@contextmanager
def open_source(session: Session, publication: Publication) -> Iterator[OpenSource]:
    """Make the source readable.

    Where an entity tells people apart, the release is made here, once, with a number for each person, in a table of
    this session that is gone in the end; what is published are its rows without that column.
    """
    arguments = publication.named_arguments
    arguments["tbl"] = session.open(publication.source, SOURCE, publication.types)
    refuse_number_of_rows(session, arguments["tbl"], publication.rows)
    if isinstance(publication.source, Table):
        session.run(f"CREATE OR REPLACE VIEW {SOURCE} AS FROM {arguments['tbl']}")
    if publication.columns is not None:
        refuse_other_columns(session.columns(arguments["tbl"]), publication.columns)
    refuse_other_types(session.describe(arguments["tbl"]), publication.types)
    if taxonomy := open_taxonomies(session, publication.taxonomy):
        arguments["taxonomy"] = taxonomy
    from ..release.statement import release_statement, with_people_statement  # here, because it brings sqlglot

    request = read_release(publication.function, arguments)
    if request.entity is None:
        yield OpenSource(request, arguments, write(release_statement(request)), None)
        return
    with temporary_table(session.con, with_people_statement(request)) as people:
        yield OpenSource(request, arguments, f"SELECT * EXCLUDE ({quote(request.entity)}) FROM {people}", people)


def refuse_other_columns(columns: Sequence[str], known: Sequence[str]) -> None:
    """The source has all columns that are known, and no others: a new one never slips out."""
    there, wanted = ({fold(name): name for name in names} for names in (columns, known))
    if missing := [repr(name) for key, name in wanted.items() if key not in there]:
        raise WrongColumn(f"the policy names {plural('column', missing)}, which the source lacks.", "Was it renamed?")
    if new := [repr(name) for key, name in there.items() if key not in wanted]:
        raise WrongColumn(
            f"the policy has no role for {plural('column', new)} of the source.",
            "Add each to [columns]: as identifier or drop (it is not published), quasi-identifier, sensitive or keep.",
        )


def refuse_number_of_rows(session: Session, table: str, bounds: Mapping[str, int]) -> None:
    """The source has as many rows as a policy expects of it."""
    if not bounds:
        return
    rows = session.count_rows(table)
    fewest, most = bounds.get("min_rows", rows), bounds.get("max_rows", rows)
    if not fewest <= rows <= most:
        broken = f"min_rows = {fewest}" if rows < fewest else f"max_rows = {most}"
        raise NotPrivate(f"the source has {rows:,} rows; [bounds] has {broken}.", "Nothing was published.")


def plural(noun: str, names: Sequence[str]) -> str:
    """A noun and the names of one or several."""
    return f"{noun}{'s' if len(names) > 1 else ''} {', '.join(names)}"


def companion_texts(
    session: Session, publication: Publication, opened: OpenSource, release: str, certificate: Certificate
) -> dict[Path, Text]:
    """The texts of the files about the release, by path; reports for the owner are private."""
    texts = {} if publication.certificate is None else {publication.certificate: Text(certificate.to_json())}
    for path, public in ((publication.report, False), (publication.public_report, True)):
        if path is not None:
            record = None if public else publication.record
            page = report_text(session, opened.arguments, release, certificate, record, opened.people)
            texts[path] = Text(page, private=not public)
    return texts


def certify_release(session: Session, publication: Publication, opened: OpenSource, release: str) -> Certificate:
    """The certificate of what was written."""
    bounds: Mapping[str, Any] = publication.bounds
    arguments = opened.arguments
    with phase("measuring the release", lambda: session.count_rows(release)):
        return certify(
            session.con,
            release,
            arguments["qi"],
            arguments.get("sa"),
            function=publication.function,
            arguments=arguments,
            src=arguments["tbl"],
            entity=opened.request.entity,
            people=opened.people,
            **bounds,
        )


def measure_loss(session: Session, arguments: Mapping[str, Any], release: str) -> float | None:
    """The loss of the release, from 0 to 1. It depends on rows that were left out, so only the owner may know it."""
    qi = arguments["qi"]
    taxonomy = {column: table for column, table in arguments.get("taxonomy", {}).items() if column in qi}
    lost = session.call("info_loss", src=arguments["tbl"], rel=release, qi=qi, taxonomy=taxonomy or None)
    gcp: float | None = lost.only["gcp"]
    return gcp


def refuse_broken(certificate: Certificate, publication: Publication, gcp: float | None) -> None:
    """Refuse a release that breaks a bound, or that a policy would have to allow."""
    demanded = [*broken_bounds(certificate, publication), *measures_above_limits(certificate, publication, gcp)]
    if demanded:
        raise NotPrivate(f"the release breaks {', '.join(demanded)}.", "Nothing was published.")
    if certificate.holds is False:
        raise BrokenPromise(f"what was written breaks {', '.join(certificate.broken)}")
    if publication.strict:
        if not publication.rows_are_people:
            refuse_rows_for_people(certificate)
        refuse_identifying(certificate, publication.identifying)


def refuse_rows_for_people(certificate: Certificate) -> None:
    """A policy says who is a person where the source suggests that a row is not."""
    if names := [repr(name) for name in certificate.repeating_identifiers or ()]:
        raise NotPrivate(
            f"rows were counted, not people: {plural('column', names)} of the source looks like an identifier, and "
            "repeats.",
            f"Write entity = {json.dumps(certificate.repeating_identifiers[0])} in [release], "  # type: ignore[index]
            'or people = "rows" if every row is another person. Nothing was published.',
        )


def refuse_identifying(certificate: Certificate, allowed: Sequence[str]) -> None:
    """A policy says by name which columns lead to people, and are published as they are."""
    known = {fold(name) for name in allowed}
    if names := [name for name in certificate.identifying_columns if fold(name) not in known]:
        raise NotPrivate(
            f"{plural('column', [repr(name) for name in names])} would be published as "
            f"{'it is, and leads' if len(names) == 1 else 'they are, and lead'} to people.",
            f'Drop it: role = "identifier". Or write {json.dumps(names[0])} = {{ role = "keep", identifies = true }} '
            "in [columns]. Nothing was published.",
        )


def broken_bounds(certificate: Certificate, publication: Publication) -> Iterator[str]:
    """The bounds that were demanded and do not hold."""
    measured: Sequence[Mapping[str, Any]] = certificate.strictest_measures
    for name in certificate.broken:
        if name in publication.bounds:
            values = [each[BY_NAME[name].measure] for each in measured if name in each["broken"]]
            shown = " and ".join("not known" if value is None else f"{value:.6g}" for value in values)
            yield f"{name} = {publication.bounds[name]:g}: it is {shown or 'not kept by rows'}"


def measures_above_limits(certificate: Certificate, publication: Publication, gcp: float | None) -> Iterator[str]:
    """The measures that are above what was allowed."""
    measured = {"risk": certificate.strictest_risk["prosecutor"], "gcp": gcp}
    digits = {"risk": 6, "gcp": OWNER_DIGITS}
    for name, most in publication.most.items():
        value = measured[name]
        if value is not None and value > most:
            yield f"{name} <= {most:g}: it is {value:.{digits[name]}g}"
