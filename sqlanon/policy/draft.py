r"""A first policy for a table: what its columns suggest, with the reasons as comments, and no value of the data.

>>> toml_key("age"), toml_key("native country")
('age', '"native country"')
>>> print(toml_text('a"b'))
"a\"b"
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..arguments import fold
from ..errors import WrongColumn
from ..next_steps import GENERALIZED
from ..publishing.column_types import kind_of
from ..publishing.entities import possible_entities
from ..publishing.paths import STANDARD, Source, file_of, follow, has_file, is_file_or_table, table_text
from ..publishing.publication import ENDING
from ..publishing.session import SOURCE, Session, literal
from .roles import DROP, IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE

SMALLEST_L, USUAL_L, USUAL_K = 2, 3, 5
OTHER, RESERVED = "other", "group_id"
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")

START = """\
# How a table is published. Check it with sqlanon run --check, publish with sqlanon run.
# sqlanon init wrote it from what the columns look like. It proposes, you decide: read every line.
# Paths are relative to this file.
"""
ROLES = """\
# The role of every column. A column of the source that is not here stops the run, so that a new one never slips out.
#   identifier        leads to one person; it is not published
#   quasi-identifier  others may know it about a person; it is published so that groups of people share it. With a
#                     taxonomy: zip = { role = "quasi-identifier", taxonomy = "zip.csv" }
#   sensitive         what nobody shall learn about a person; it is published, and groups are diverse in it
#   keep              published as it is
#   drop              not published
# A type is pinned: if it changes in the source, as by one n/a among numbers, the run stops.
"""
BOUNDS = """\
# What the release must keep beside the promise of [release], or nothing is published. Take away the # of what you need.
[bounds]
# k = 5            # every class has at least k {counted}
# t = 0.5          # no class is further than t from the whole in what is sensitive
# max_risk = 0.2   # of all {counted}, none is found again by quasi-identifiers alone with a higher probability
# max_gcp = 0.5    # no more is lost: 0 is exact, 1 tells nothing
# min_rows = 1000  # the source has at least as many rows; max_rows: at most
"""


RECORD = """\
# What the owner's report shows to whoever approves the release. What is empty is a line to write on.
[record]
purpose = ""
recipients = ""
why_quasi_identifiers = ""
why_bounds = ""
made_by = ""
approved_by = ""
review_on = ""  # such as 2027-05-01
"""


class Suggestion(NamedTuple):
    """The role of a column, why, and, if there is one, the word for its type, and its taxonomy."""

    column: str
    role: str
    reason: str
    type: str | None = None
    taxonomy: str | None = None

    @property
    def setting(self) -> str:
        """The line of the policy. The type of a column that is not published does not matter."""
        pinned = None if self.role in (IDENTIFIER, DROP) else self.type
        others = {"type": pinned, "taxonomy": self.taxonomy}
        stated = {"role": self.role, **{name: value for name, value in others.items() if value is not None}}
        if len(stated) == 1:
            return f"{toml_key(self.column)} = {toml_text(self.role)}"
        listed = ", ".join(f"{name} = {toml_text(value)}" for name, value in stated.items())
        return f"{toml_key(self.column)} = {{ {listed} }}"


def draft_policy(
    session: Session, source: Source, written_source: str, folder: Path, taxonomy: Mapping[str, str]
) -> str:
    """The text of a policy in a folder; `written_source` is the source as the policy names it.

    `taxonomy` has taxonomies by column, as the policy names them.
    """
    table = session.open(source, SOURCE)
    described = session.call("columns", tbl=table).records
    refuse_missing(taxonomy, [record["column"] for record in described])
    trees = {fold(column): tree for column, tree in taxonomy.items()}
    suggested = [suggest(record, trees.get(fold(record["column"]))) for record in described]
    entity = next((name for name in possible_entities(described) if fold(name) != RESERVED), None)
    largest = {
        one.column: session.call("eligibility", tbl=table, sa=one.column, entity=entity).only["max_l"] or 0
        for one in suggested
        if one.role == SENSITIVE
    }
    suggested = list(drop_frequent(suggested, largest))
    sensitive = [one.column for one in suggested if one.role == SENSITIVE]
    width = max((len(one.setting) for one in suggested if one.taxonomy is None), default=0)
    lines = [
        START,
        f"source = {toml_text(written_source)}\n",
        f"{ROLES}[columns]",
        *(f"{one.setting.ljust(width)}  # {one.reason}" for one in suggested),
        *missing_roles(suggested),
        "",
        *model([largest[name] for name in sensitive], entity),
        "",
        BOUNDS.format(counted=plural_noun(entity)),
        *outputs(source, folder),
        "",
        RECORD,
    ]
    return "\n".join(lines)


def refuse_missing(taxonomy: Mapping[str, str], columns: Sequence[str]) -> None:
    """Taxonomies are of columns that are there."""
    there = {fold(name) for name in columns}
    for name in taxonomy:
        if fold(name) not in there:
            raise WrongColumn(f"taxonomy: the table has no column {name!r}.", "Names of columns are in its first line.")


def suggest(record: Mapping[str, Any], taxonomy: str | None) -> Suggestion:
    """A role for every column: one that is nothing of the three is dropped, unless it has a taxonomy."""
    name, role, reason, word = record["column"], record["role"], record["reason"], kind_of(record["type"])
    if fold(name) == RESERVED:
        return Suggestion(name, DROP, "A release has a group_id that is made anew: this one is dropped.")
    if taxonomy is not None and role not in (QUASI_IDENTIFIER, SENSITIVE):
        return Suggestion(name, QUASI_IDENTIFIER, f"It has a taxonomy. {reason}", word, taxonomy)
    if role == OTHER:
        return Suggestion(name, DROP, reason)
    return Suggestion(name, role, reason, word, taxonomy or suggest_taxonomy(record))


def suggest_taxonomy(record: Mapping[str, Any]) -> str | None:
    """The taxonomy of postal codes that are text, which say more from left to right; numbers and dates have ranges."""
    if record["role"] != QUASI_IDENTIFIER or record["looks_like"] != "postal code" or record["type"] != "VARCHAR":
        return None
    return f"prefix_taxonomy('{SOURCE}', {literal(record['column'])})"


def drop_frequent(suggested: Sequence[Suggestion], largest: Mapping[str, int]) -> Iterator[Suggestion]:
    """Of several sensitive columns, those in which one value has more than half of the rows are dropped."""
    possible = [name for name, most in largest.items() if most >= SMALLEST_L]
    for one in suggested:
        if possible and one.role == SENSITIVE and one.column not in possible:
            reason = (
                f"{one.reason} Sensitive, but one value is too frequent for l = {SMALLEST_L}: dropped until you decide."
            )
            yield Suggestion(one.column, DROP, reason)
        else:
            yield one


def missing_roles(suggested: Sequence[Suggestion]) -> Iterator[str]:
    """Comments on roles that have to be filled in before the policy can run."""
    if not any(one.role == QUASI_IDENTIFIER for one in suggested):
        yield "# No column looks like a quasi-identifier: name one at least, or nothing can be published."


def model(largest: Sequence[int], entity: str | None) -> Iterator[str]:
    """The model, by what the table allows for each sensitive column, and by what tells people apart."""
    counted = plural_noun(entity)
    if not largest:
        yield "# k-anonymity, as no column looks sensitive. If one is, say so above, and give l instead of k."
        yield f"[release]\nk = {USUAL_K}  # every group has at least k {counted}"
    else:
        possible = min(largest)
        if possible < SMALLEST_L and entity is None:
            yield "# One sensitive value has over half of the rows, or there are none: no l-diverse release exists."
            yield f"# Give tau = 0.5 beside l, which generalizes sensitive values, too; {GENERALIZED}"
            yield "# Or choose other roles."
        elif possible < SMALLEST_L:
            yield "# Over half of the people have one sensitive value, or there are none: no l-diverse release exists."
            yield "# Choose other roles."
        yield f"# l-diversity: in no published class does a sensitive value take more than 1/l of the {counted};"
        yield "# whoever learns from the whole release, or knows more, may guess better."
        yield f"[release]\nl = {max(SMALLEST_L, min(USUAL_L, possible))}  # this table allows up to {possible}"
    if len(largest) > 1:
        yield 'algo = "bsgi"  # protects several sensitive columns at once; what fits in no group is left out'
    if entity is not None:
        yield f"entity = {toml_text(entity)}  # it repeats, so that one person has several rows: people are counted"


def plural_noun(entity: str | None) -> str:
    """The noun for those who are counted."""
    return "rows" if entity is None else "people"


def outputs(source: Source, folder: Path) -> Iterator[str]:
    """The lines of [output], with names that no file has yet."""
    path = file_of(source)
    first = "published" if path is not None and path.stem == "release" else "release"
    ending = next(one for one in (".parquet", ".csv", ".pq") if not has_file(source, folder / f"{first}{one}"))
    name = next(
        name
        for name in name_candidates(first)
        if not any((folder / path).exists() for path in release_files(name, ending))
    )
    if name != first:
        yield f"# There is a {first}{ending} already, or its certificate: this release gets another name."
    release, certificate = release_files(name, ending)
    yield "# {date} in a name is the day of the run."
    yield f'[output]\nrelease = "{release}"'
    yield f'certificate = "{certificate}"'
    yield '# report = "report.html"                # for those who answer for it'
    yield '# public_report = "public_report.html"  # without what should stay inside'


def name_candidates(name: str) -> Iterator[str]:
    """A name, and others like it."""
    yield name
    yield from (f"{name}_{number}" for number in itertools.count(2))


def release_files(name: str, ending: str) -> tuple[str, str]:
    """The names of a release and its certificate."""
    return f"{name}{ending}", f"{name}{ending}{ENDING}"


def toml_key(name: str) -> str:
    """A name as a key of TOML."""
    return name if BARE_KEY.fullmatch(name) else toml_text(name)


def toml_text(value: str) -> str:
    """A text of TOML: that of JSON, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def relative_source(text: str, folder: Path) -> str:
    """A source as a policy in a folder names it: a path that is relative stays so, and a symlink what it is."""
    if text == STANDARD:
        return text
    table = table_text(text)
    written = text if table is None else text[: -len(table) - 1]
    if not Path(written).is_absolute():
        written = (Path(os.path.relpath(Path.cwd().resolve(), follow(folder))) / written).as_posix()
    return written if table is None else f"{written}:{table}"


def relative_taxonomy(text: str, folder: Path) -> str:
    """A taxonomy as a policy in a folder names it; SQL as it is."""
    return relative_source(text, folder) if is_file_or_table(text) else text
