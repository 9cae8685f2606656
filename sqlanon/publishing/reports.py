"""The report on a release, as a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..certificate import Certificate
from .session import Session


def report_text(
    session: Session, arguments: Mapping[str, Any], release: str, certificate: Certificate, public: bool
) -> str:
    """The page: for those who answer for the release, or one that may be published with it."""
    from ..report import report  # here, because it is needed by few

    page = report(
        session.con,
        release,
        arguments["qi"],
        arguments.get("sa"),
        src=arguments["tbl"],
        certificate=certificate,
        taxonomy=arguments.get("taxonomy"),
        l=arguments.get("l"),
        k=arguments.get("k"),
        algo=arguments["algo"],
        public=public,
    )
    return str(page.html)
