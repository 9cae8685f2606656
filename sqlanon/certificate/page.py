"""A certificate as a small table of HTML, for notebooks. Every text in it is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .record import CREATED, Certificate

VERDICTS = {True: "holds", False: "broken", None: "nothing was promised"}


def certificate_table(certificate: Certificate) -> str:
    """One row for each thing that the certificate says, but for measures that are not there."""
    rows = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(value)}</td></tr>'
        for name, value in shown(certificate)
    )
    return f"<table><caption>Certificate of a release</caption>{rows}</table>"


def shown(certificate: Certificate) -> Iterator[tuple[str, str]]:
    """What to show, from the verdict to the hash."""
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
    for each in certificate.measures:
        of = f" of {each['sa']}" if len(certificate.measures) > 1 else ""
        yield f"measures{of}", number_list(each)
    yield "risk", number_list(certificate.risk)
    if certificate.loss is not None:
        yield "loss", number_list(certificate.loss)
    for column, digest in certificate.taxonomies.items():
        yield f"taxonomy of {column}", digest
    yield "content hash", certificate.content_hash
    yield "made", f"{certificate.created.strftime(CREATED)} by sqlanon {certificate.version}"


def number_list(numbers: object) -> str:
    """The numbers of a mapping by their names."""
    assert isinstance(numbers, dict)
    return ", ".join(f"{name} = {value:.6g}" for name, value in numbers.items() if isinstance(value, int | float))
