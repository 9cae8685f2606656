"""A certificate as a small table of HTML, for notebooks. Every text in it is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from .record import CREATED, Certificate

VERDICTS = {True: "holds", False: "broken", None: "nothing was promised"}


def certificate_table(certificate: Certificate) -> str:
    """One row for each thing that the certificate says, but for measures that are not there."""
    rows = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(value)}</td></tr>'
        for name, value in page_lines(certificate)
    )
    return f"<table><caption>Certificate of a release</caption>{rows}</table>"


def page_lines(certificate: Certificate) -> Iterator[tuple[str, str]]:
    """The lines of a certificate, from the verdict to the hash."""
    verdict = VERDICTS[certificate.holds]
    yield "promise", verdict + (f": {', '.join(certificate.broken)}" if certificate.broken else "")
    yield "bounds", ", ".join(f"{name} = {value:.6g}" for name, value in certificate.bounds.items()) or "none"
    for promise in certificate.unchecked:
        yield "not checked", promise
    yield "quasi-identifiers", ", ".join(certificate.qi)
    if certificate.sa:
        yield "sensitive", ", ".join(certificate.sa)
    if certificate.function is not None:
        yield "published by", certificate.function
    yield "rows", f"{certificate.rows:,}"
    if certificate.source_rows is not None:
        yield "rows of the source", f"{certificate.source_rows:,}"
    yield "classes", f"{certificate.classes:,}"
    yield from lines_of_measures("rows", certificate.measures, certificate.risk)
    if certificate.people is not None:
        yield "people", f"{certificate.people['count']:,}, told apart by {certificate.entity}"
        yield from lines_of_measures("people", certificate.people["measures"], certificate.people["risk"])
    if certificate.identifying_columns:
        yield "published as they are, and lead to people", ", ".join(certificate.identifying_columns)
    if certificate.repeating_identifiers:
        yield (
            "identifiers that repeat in the source, so that rows are not people",
            ", ".join(certificate.repeating_identifiers),
        )
    for column, digest in certificate.taxonomies.items():
        yield f"taxonomy of {column}", digest
    yield "content hash", certificate.content_hash
    yield "made", f"{certificate.created.strftime(CREATED)} by sqlanon {certificate.version}"


def lines_of_measures(
    counted: str, measures: Sequence[Mapping[str, object]], risk: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """Measures and risk of rows, or of people."""
    for each in measures:
        of = f" of {each['sa']}" if len(measures) > 1 else ""
        yield f"measures{of}, by {counted}", number_list(each)
    yield f"risk, by {counted}", number_list(risk)


def number_list(numbers: object) -> str:
    """The numbers of a mapping by their names."""
    assert isinstance(numbers, dict)
    return ", ".join(f"{name} = {value:.6g}" for name, value in numbers.items() if isinstance(value, int | float))
