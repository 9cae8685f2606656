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
from .limits import LIMITS
from .losses import Loss
from .risks import Exposure
from .subject import Subject
from .tiles import Tile, measures
from .verdicts import Verdict
from .words import MEASURES, label, number, percent, write_value


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
            (sa, list(measures(content.before, content.after.privacy, position)))
            for position, sa in enumerate(content.subject.sa or (None,))
        ],
        limits=LIMITS,
        approval=approval_lines(content.subject),
        made=dt.datetime.now(dt.UTC).strftime(CREATED),
        version=__version__,
    )


def approval_lines(subject: Subject) -> list[tuple[str, str]]:
    """Questions of whoever approves a release, and answers; an empty answer is a line to write on."""
    record = subject.record
    return [
        ("Purpose of the release", record.purpose),
        ("Recipients", record.recipients),
        (f"Why these quasi-identifiers: {', '.join(map(label, subject.qi))}", record.why_quasi_identifiers),
        (f"Why these bounds: {bounds_words(subject)}", record.why_bounds),
        ("SHA-256 of the policy", record.policy_hash),
        ("Made by", record.made_by),
        ("Approved by", record.approved_by),
        ("To be reviewed on", record.review_on),
    ]


def bounds_words(subject: Subject) -> str:
    """The bounds that were promised, as k = 5, l = 3."""
    bounds = subject.certificate.bounds
    return ", ".join(f"{name} = {number(value)}" for name, value in bounds.items()) or "none was promised"


def hexadecimal(text: str) -> str:
    """The digits of a hash, and nothing else, for a style sheet, where no text can be escaped.

    >>> hexadecimal('0af"; } x {')
    '0af'
    """
    return "".join(digit for digit in text if digit in "0123456789abcdef")


@cache
def template() -> jinja2.Template:
    """The template, read once. A name that it lacks is an error, not an empty text."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "label": label,
        "number": number,
        "percent": percent,
        "listed": write_value,
        "drawing": Markup,
    }
    environment.filters["hexadecimal"] = hexadecimal
    environment.globals |= {"meaning": MEASURES}
    return environment.get_template("page.html")
