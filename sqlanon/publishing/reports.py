"""The report on a release, as a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..approval import ApprovalRecord
from ..certificate import Certificate
from .publication import Publication
from .session import Session


def report_maker() -> Callable[..., Any]:
    """The function that makes reports: an extra, which may not be installed."""
    from ..report import report

    maker: Callable[..., Any] = report
    return maker


def refuse_without_reports(publication: Publication) -> None:
    """Say so early if reports are wanted that cannot be made."""
    if publication.report or publication.public_report:
        report_maker()


def report_text(
    session: Session,
    arguments: Mapping[str, Any],
    release: str,
    certificate: Certificate,
    record: ApprovalRecord | None,
    people: str | None,
) -> str:
    """The page: for those who answer for the release, with their record and its `people`, or one that may be published
    with it. Its figures of the release are those of the certificate, which has just been measured; people cannot be
    counted from what is public.
    """
    public = record is None
    page = report_maker()(
        session.con,
        release,
        arguments["qi"],
        arguments.get("sa"),
        src=None if public else arguments["tbl"],
        certificate=certificate,
        measured=replace(certificate, people=None) if public else certificate,
        people=None if public else people,
        taxonomy=arguments.get("taxonomy"),
        l=arguments.get("l"),
        k=arguments.get("k"),
        algo=arguments["algo"],
        public=public,
        record=record,
    )
    return str(page.html)
