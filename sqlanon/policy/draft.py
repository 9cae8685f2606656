r"""A first policy for a table: what its columns suggest, with the reasons as comments, and no value of the data.

>>> toml_key("age"), toml_key("native country")
('age', '"native country"')
>>> print(toml_text('a"b'))
"a\"b"
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..arguments import fold
from ..publishing.places import Place, file_of, table_text
from ..publishing.session import Session
from .roles import IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE

SMALLEST_L, USUAL_L, USUAL_K = 2, 3, 5
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")

START = """\
# How a table is published. Check it with sqlanon run --check, publish with sqlanon run.
# sqlanon init wrote it from what the columns look like. It proposes, you decide: read every line.
# Paths are relative to this file.
"""
ROLES = """\
# The role of every column. A column of the source that is not here stops the run, so that a new one never slips out.
#   identifier        leads to one person; it is dropped
#   quasi-identifier  others may know it about a person; it is published so that groups of people share it. With a
#                     taxonomy: zip = { role = "quasi-identifier", taxonomy = "zip.csv" }
#   sensitive         what nobody shall learn about a person; it is published, and groups are diverse in it
#   keep              published as it is
"""
BOUNDS = """\
# What the release must keep beside the promise of [release], or nothing is published. Take away the # of what you need.
[bounds]
# k = 5           # every class has at least k rows
# t = 0.5         # no class is further than t from the whole in what is sensitive
# max_risk = 0.2  # nobody is found again with a higher probability
# max_gcp = 0.5   # no more is lost: 0 is exact, 1 tells nothing
"""


class Suggestion(NamedTuple):
    """The role of a column, and why."""

    column: str
    role: str
    reason: str

    @property
    def setting(self) -> str:
        """The line of the policy."""
        return f"{toml_key(self.column)} = {toml_text(self.role)}"


def draft_policy(session: Session, source: Place, written_source: str) -> str:
    """The text of a policy; `written_source` is the source as the policy names it."""
    table = session.open(source, "source")
    suggested = [suggest(record) for record in session.call("columns", tbl=table).records]
    sensitive = [one.column for one in suggested if one.role == SENSITIVE]
    largest = [session.call("eligibility", tbl=table, sa=name).only["max_l"] for name in sensitive]
    width = max((len(one.setting) for one in suggested), default=0)
    lines = [
        START,
        f"source = {toml_text(written_source)}\n",
        f"{ROLES}[columns]",
        *(f"{one.setting.ljust(width)}  # {one.reason}" for one in suggested),
        *missing_roles(suggested),
        "",
        *model(sensitive, largest),
        "",
        BOUNDS,
        *outputs(source),
    ]
    return "\n".join(lines) + "\n"


def suggest(record: Mapping[str, Any]) -> Suggestion:
    """A role for every column: one that nobody can judge is dropped."""
    name, role, reason = record["column"], record["role"], record["reason"]
    if fold(name) == "group_id":
        return Suggestion(name, IDENTIFIER, "A release has a group_id that is made anew: this one is dropped.")
    if role is None:
        return Suggestion(name, IDENTIFIER, f"{reason} It is dropped until you give it another role.")
    return Suggestion(name, role, reason)


def missing_roles(suggested: Sequence[Suggestion]) -> Iterator[str]:
    """What has to be filled in before the policy can run."""
    if not any(one.role == QUASI_IDENTIFIER for one in suggested):
        yield "# No column looks like a quasi-identifier: name one at least, or nothing can be published."


def model(sensitive: Sequence[str], largest: Sequence[int | None]) -> Iterator[str]:
    """The model, by what is sensitive and what the table allows."""
    if not sensitive:
        yield "# k-anonymity, as no column looks sensitive. If one is, say so above, and give l instead of k."
        yield f"[release]\nk = {USUAL_K}  # every group has at least k rows"
        return
    possible = min(value or 0 for value in largest)
    if possible < SMALLEST_L:
        yield "# One sensitive value is in more than half of the rows, or there are none: no l-diverse release exists."
        yield "# Give tau = 0.5 beside l, which generalizes sensitive values, too; or choose other roles."
    yield "# l-diversity: in no group does a sensitive value take more than 1/l of the rows."
    yield f"[release]\nl = {max(SMALLEST_L, min(USUAL_L, possible))}  # this table allows up to {possible}"
    if len(sensitive) > 1:
        yield 'algo = "bsgi"  # protects several sensitive columns at once; what fits in no group is left out'


def outputs(source: Place) -> Iterator[str]:
    """Where everything goes."""
    name = "published" if file_of(source).stem == "release" else "release"
    yield f'[output]\nrelease = "{name}.parquet"'
    yield f'certificate = "{name}.parquet.certificate.json"'
    yield '# report = "report.html"                # for those who answer for it'
    yield '# public_report = "public_report.html"  # without what should stay inside'


def toml_key(name: str) -> str:
    """A name as a key of TOML."""
    return name if BARE_KEY.fullmatch(name) else toml_text(name)


def toml_text(value: str) -> str:
    """A text of TOML: that of JSON, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def source_beside(text: str, place: Place, folder: Path) -> str:
    """A source as a policy in a folder names it: a path that is relative stays so."""
    path = file_of(place)
    shown = path if Path(text).is_absolute() else Path(os.path.relpath(path, folder))
    table = table_text(text)
    return shown.as_posix() if table is None else f"{shown.as_posix()}:{table}"
