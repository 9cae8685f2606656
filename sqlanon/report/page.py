"""The page: a template that escapes whatever it is handed, and draws nothing but what was drawn for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from ..certificate.record import CREATED
from ..version import __version__
from .charts import Chart
from .losses import Loss
from .risks import Exposure
from .subject import Subject
from .tiles import Tile, measures
from .verdicts import Verdict
from .words import MEASURES, label, listed, number, percent


@dataclass(frozen=True)
class Content:
    """All that a page shows."""

    subject: Subject
    verdict: Verdict
    tiles: Sequence[Tile]
    charts: Sequence[Chart]
    before: Exposure | None
    after: Exposure
    loss: Loss | None


def render(content: Content) -> str:
    """The page."""
    certificate = content.subject.certificate
    return template().render(
        content=content,
        subject=content.subject,
        certificate=certificate,
        measures=[
            (sa, list(measures(content.before, content.after.privacy, place)))
            for place, sa in enumerate(content.subject.sa or (None,))
        ],
        made=dt.datetime.now(dt.UTC).strftime(CREATED),
        version=__version__,
    )


@cache
def template() -> jinja2.Template:
    """The template, read once. A name that it lacks is an error, not an empty text."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"label": label, "number": number, "percent": percent, "listed": listed, "drawing": Markup}
    environment.globals |= {"meaning": MEASURES}
    return environment.get_template("page.html")
