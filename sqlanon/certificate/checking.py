"""Check a certificate: compute all that it says again, and tell line by line what holds.

From the release alone, unless its taxonomies and its source are there, too. What needs one that is not there is
unproven, and so is what nothing can prove: when a certificate was made, and by which version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from typing import Any

import duckdb

from ..arguments import fold
from ..bounds import BY_NAME
from ..calling import run
from ..errors import BadCertificate, InvalidParameter, ReleaseMismatch, SqlanonError
from .certifying import certificate_of_row
from .lines import NOBODY_IS_FOUND, Line, compare_parts, compare_sides
from .record import CREATED, Certificate
from .remaking import make_with_people, remake
from .request import MEASURES
from .types import lost_types

ALL_MEASURES = (*MEASURES, "recursive_c", "tau")

BY_TAXONOMY = ("t_hierarchical", "tau")
"""The measures that depend on the taxonomy of the sensitive attribute, if there is one."""

CLAIMS = ("version", "created")
"""Fields that nothing can prove. A signature says who vouches for them."""

BY_READER = frozenset({"qi", "sa", "entity", "nulls", "bounds", "promised", "holds", "unchecked"})
"""Fields that say how to measure, or follow from others: Certificate.from_json refuses contradictions."""

BY_LINES = frozenset(
    {*CLAIMS, "function", "arguments", "columns", "measures", "taxonomies", "broken", "groups", "people", "kept"}
)
"""Fields with special lines here. Every other field of a certificate is compared with the same field, measured."""

BY_SOURCE = ("source_rows", "repeating_identifiers")
"""Fields about the source."""

NEEDS_TAXONOMY = "it needs the taxonomy that was certified"
NEEDS_SOURCE = "it needs the source"
NEEDS_PEOPLE = "it needs the source: the release lacks the column that tells people apart"
NEEDS_SIGNATURE = "it is its maker's word: a signature says whose"
NEEDS_ENTITY = "rows were counted, not people: {} of the source looks like an identifier, repeats, and is no entity"
LEADS_TO_PEOPLE = "published as they are, these columns lead to people: {}"
OTHER_TYPES = "other formats have other types"


def check(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    certificate: Certificate,
    taxonomy: Mapping[str, str] | None = None,
    src: str | None = None,
    people: str | None = None,
    measured: Certificate | None = None,
    identifying: Sequence[str] = (),
) -> list[Line]:
    """Compare a release with its certificate.

    `taxonomy` has the tables or files of the taxonomies that the certificate has hashes of, `src` is the source, and
    `people` a table with the rows of the release and the entity of the certificate; what needs one that is not there is
    unproven. `measured` is what was measured of the release already; else that is done here.
    `identifying` names columns that may lead to people though they are published as they are.
    """
    from .content import content_statement, heading_statement

    columns = run(con, heading_statement(rel)).only["columns"]
    trees = dict(taxonomy or {})
    matched = match_taxonomies(con, certificate, trees)
    usable = {column: trees[column] for column, line in matched.items() if line.holds}
    missing = missing_columns(certificate, columns)
    lost = lost_types(certificate, columns)
    readable = readable_types(con, rel, lost)
    lines = [*column_lines(certificate, columns, missing, set(lost) - set(readable)), *matched.values()]
    if missing or readable:
        content = run(con, content_statement(rel)).only
        lines.insert(0, compare_sides("content_hash", certificate.content_hash, content["content_hash"]))
        if missing:
            lines.insert(1, compare_sides("rows", certificate.rows, content["rows"]))
            return [*lines, Line("measures", None, None, False, describe_missing(missing))]
    problem = ""
    if measured is None:
        measured, problem = measure(con, rel, certificate, usable, readable, src)
    lines += field_lines(certificate, measured, skipped={"content_hash"} if readable else set())
    lines += group_lines(certificate, measured)
    lines += measure_lines(certificate, measured, usable)
    lines += lines_of_kept_columns(certificate, measured, identifying)
    lines += source_lines(certificate, measured, src, problem)
    made_again = remake(con, certificate, src, trees=usable, content_hash=measured_hash(lines))
    if certificate.people is not None and measured.people is None:
        with ExitStack() as stack:
            if people is None and src is not None and made_again is True:
                people = stack.enter_context(make_with_people(con, certificate, src, usable))
            if people is not None:
                measured = certify_again(con, rel, certificate, usable, readable, src=None, people=people)
    lines += people_lines(certificate, measured, usable)
    lines += [*call_lines(certificate, made_again), *claim_lines(certificate)]
    return sorted(lines, key=lambda line: line.what != "content_hash")


def measured_hash(lines: Iterable[Line]) -> str:
    """The hash of the release."""
    return next(str(line.measured) for line in lines if line.what == "content_hash")


def missing_columns(certificate: Certificate, columns: Sequence[Mapping[str, str]]) -> list[str]:
    """Columns of the certificate that the release lacks. The column that identified people need not be published."""
    there = {fold(column["name"]) for column in columns}
    lost = {fold(str(certificate.arguments["entity"]))} if "entity" in certificate.arguments else set()
    entity = [] if certificate.entity is None or fold(certificate.entity) in lost else [certificate.entity]
    named = (*(name for name, _ in certificate.columns), *certificate.qi, *certificate.sa, *entity)
    return list(dict.fromkeys(name for name in named if fold(name) not in there))


def describe_missing(names: Sequence[str]) -> str:
    """The missing columns, in the words of the error."""
    return str(BadCertificate(f"the release lacks what the certificate names: {', '.join(map(repr, names))}."))


def column_lines(
    certificate: Certificate,
    columns: Sequence[Mapping[str, str]],
    missing: Sequence[str],
    unreadable: set[tuple[str, str]],
) -> Iterator[Line]:
    """The columns, and their types, which differ from format to format."""
    certified, measured = (sorted(names) for names in zip_names(certificate, columns))
    yield replace(compare_sides("columns", certified, measured), reason=describe_missing(missing) if missing else "")
    if left := columns_without_role(certificate):
        yield Line("qi", list(certificate.qi), None, None, f"nobody says what others are: {', '.join(left)}")
    kinds = {fold(column["name"]): column["type"] for column in columns}
    types = [(name, kind, kinds.get(fold(name))) for name, kind in certificate.columns]
    other = [name for name, before, now in types if before != now]
    wrong = {name for name, _ in unreadable}
    yield Line(
        "types",
        [kind for _, kind, _ in types],
        [kind for _, _, kind in types],
        False if wrong or missing else None if other else True,
        f"cells are not of the type: {', '.join(sorted(wrong))}" if wrong else OTHER_TYPES if other else "",
    )


def columns_without_role(certificate: Certificate) -> list[str]:
    """The columns that may be quasi-identifiers as well: that they are none is the maker's word."""
    kept = certificate.arguments.get("keep", ())
    listed = [kept] if isinstance(kept, str) else kept if isinstance(kept, list | tuple) else ()
    roles = ("group_id", *certificate.qi, *certificate.sa, *map(str, listed), certificate.entity or "")
    known = {fold(name) for name in roles}
    return [name for name, _ in certificate.columns if fold(name) not in known]


def zip_names(certificate: Certificate, columns: Sequence[Mapping[str, str]]) -> tuple[list[str], list[str]]:
    """The names of the columns: certified, and in the release."""
    return [name for name, _ in certificate.columns], [column["name"] for column in columns]


def readable_types(con: duckdb.DuckDBPyConnection, rel: str, types: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of columns that are text and had a type, those all of whose cells can be read as that type."""
    from .content import types_statement

    if not types:
        return []
    kept = run(con, types_statement(rel, types)).only["kept"]
    return [each for each, readable in zip(types, kept, strict=True) if readable]


def match_taxonomies(
    con: duckdb.DuckDBPyConnection, certificate: Certificate, trees: Mapping[str, str]
) -> dict[str, Line]:
    """By column, whether its taxonomy is the one that the certificate is about."""
    from sqlglot import exp

    from .content import taxonomy_hashes

    for column in trees:
        if column not in certificate.taxonomies:
            raise InvalidParameter(f"taxonomy: the certificate has none of column {column!r}.", "Leave it out.")
    hashes: Mapping[str, str] = {}
    if trees:
        selected = exp.select(exp.alias_(taxonomy_hashes(list(trees.items())), "hashes"))
        hashes = run(con, selected).only["hashes"]
    return {
        column: compare_sides(f"taxonomy of {column}", certified, hashes[column])
        if column in hashes
        else Line(f"taxonomy of {column}", certified, None, None, "it was not given")
        for column, certified in certificate.taxonomies.items()
    }


def measure(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    certificate: Certificate,
    trees: Mapping[str, str],
    types: Sequence[tuple[str, str]],
    src: str | None,
) -> tuple[Certificate, str]:
    """The certificate that the release has here and now, and what is wrong with the source, if it does not fit.

    tau is left out where the taxonomy that it is about is not there.
    """
    try:
        return certify_again(con, rel, certificate, trees, types, src), ""
    except ReleaseMismatch as error:
        if src is None:
            raise
        return certify_again(con, rel, certificate, trees, types, None), str(error)


def certify_again(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    certificate: Certificate,
    trees: Mapping[str, str],
    types: Sequence[tuple[str, str]],
    src: str | None,
    people: str | None = None,
) -> Certificate:
    """Certify a release as its certificate says; `people` is where they are counted if the release lacks the entity."""
    from .request import read_certification
    from .statement import certify_statement

    knows_tau = knows_taxonomies(certificate, trees, certificate.sa)
    names = {fold(name) for name, _ in certificate.columns}
    arguments = {
        "rel": rel,
        "qi": list(certificate.qi),
        "sa": list(certificate.sa) or None,
        "entity": certificate.entity if people or fold(certificate.entity or "") in names else None,
        "nulls": certificate.nulls,
        "taxonomy": dict(trees) or None,
        "src": src,
        **{name: value for name, value in certificate.bounds.items() if name != "tau" or knows_tau},
    }
    promised = tuple(name for name in certificate.promised if name != "tau" or knows_tau)
    try:
        request = read_certification("certify", arguments, promised)
    except SqlanonError as error:
        raise BadCertificate(f"the certificate cannot be checked: {error.message}") from error
    return certificate_of_row(run(con, certify_statement(replace(request, people_rel=people), types)).only)


def knows_taxonomies(certificate: Certificate, trees: Mapping[str, str], columns: Sequence[str]) -> bool:
    """Whether every taxonomy of these columns that was certified is there."""
    return all(column in trees for column in certificate.taxonomies if column in columns)


def field_lines(certificate: Certificate, measured: Certificate, skipped: set[str]) -> Iterator[Line]:
    """Every field that is compared as it is; one that has parts, part by part."""
    for field in fields(Certificate):
        if field.name not in BY_READER | BY_LINES | skipped | set(BY_SOURCE):
            yield from compare_parts(field.name, getattr(certificate, field.name), getattr(measured, field.name))


def group_lines(certificate: Certificate, measured: Certificate) -> Iterator[Line]:
    """The groups, which are numbered from 1 without gaps."""
    yield compare_sides("groups", certificate.groups, measured.groups)
    if measured.groups is not None:
        complete = "group_id" not in measured.broken
        yield Line("group_id has no gaps", True, complete, complete)


def measure_lines(certificate: Certificate, measured: Certificate, trees: Mapping[str, str]) -> Iterator[Line]:
    """The measures, then the bounds, attribute by attribute."""
    knows_tau = knows_taxonomies(certificate, trees, certificate.sa)
    for certified, now in zip(certificate.measures, measured.measures, strict=True):
        sa = certified["sa"]
        of = f" of {sa}" if len(certificate.measures) > 1 else ""
        unknown = {
            name
            for name in BY_TAXONOMY
            if (name == "tau" and not knows_tau) or (sa in certificate.taxonomies and sa not in trees)
        }
        uncounted = "tau" in unknown & set(certificate.promised)
        for name in (*ALL_MEASURES, "broken_classes", "broken"):
            what = f"broken bounds{of}" if name == "broken" else f"{name}{of}"
            if name in unknown or (name in ("broken_classes", "broken") and uncounted):
                if name != "tau" or certified[name] is not None or "tau" in certificate.bounds:
                    yield Line(what, certified[name], None, None, NEEDS_TAXONOMY)
            elif certified[name] is not None or now[name] is not None:
                yield compare_sides(what, certified[name], now[name])
        for bound in certificate.promised:
            value, reached = certificate.bounds[bound], now[BY_NAME[bound].measure]
            if bound in unknown:
                yield Line(f"bound {bound}{of}", value, None, None, NEEDS_TAXONOMY)
            else:
                yield Line(f"bound {bound}{of}", value, reached, bound not in as_list(now["broken"]))
    skipped = set() if knows_tau else {"tau"}
    if measured.people is None:  # what people break cannot be seen
        skipped |= broken_by_people(certificate) - set(measured.broken)
    yield compare_sides("broken", [name for name in certificate.broken if name not in skipped], list(measured.broken))


def as_list(value: object) -> list[object]:
    assert isinstance(value, tuple | list)
    return list(value)


def broken_by_people(certificate: Certificate) -> set[str]:
    """The bounds that people break, as the certificate says."""
    measured = [] if certificate.people is None else certificate.people["measures"]
    return {name for each in measured for name in each["broken"]}


def people_lines(certificate: Certificate, measured: Certificate, trees: Mapping[str, str]) -> Iterator[Line]:
    """The lines about people, if they can be counted again: the release tells them apart, or could be made again."""
    if certificate.people is None:
        return
    figures = {} if measured.people is None else people_figures(measured.people)
    counted = measured.people is not None
    yield Line("entity", certificate.entity, measured.entity, counted or None, "" if counted else NEEDS_PEOPLE)
    knows_all = knows_taxonomies(certificate, trees, certificate.sa)
    for name, certified in people_figures(certificate.people).items():
        if measured.people is None or (name.startswith(BY_TAXONOMY) and not knows_all):
            if certified is not None:
                reason = NEEDS_PEOPLE if measured.people is None else NEEDS_TAXONOMY
                yield Line(f"people {name}", certified, None, None, reason)
        elif certified is not None or figures[name] is not None:
            yield compare_sides(f"people {name}", certified, figures[name])
    for bound in (name for name in certificate.promised if name != "tau"):
        of_people = [] if measured.people is None else measured.people["measures"]
        reached = [each[BY_NAME[bound].measure] for each in of_people]
        holds = all(bound not in each["broken"] for each in of_people) if reached else None
        reason = "" if reached else NEEDS_PEOPLE
        yield Line(f"bound {bound} of people", certificate.bounds[bound], reached or None, holds, reason)


def people_figures(people: Mapping[str, Any]) -> dict[str, Any]:
    """All that is said of people, by name."""
    several = len(people["measures"]) > 1
    return {
        "count": people["count"],
        **{
            f"{name}{' of ' + each['sa'] if several else ''}": list(value) if name == "broken" else value
            for each in people["measures"]
            for name, value in each.items()
            if name != "sa"
        },
        **{f"risk {name}": value for name, value in people["risk"].items()},
    }


def lines_of_kept_columns(
    certificate: Certificate, measured: Certificate, identifying: Sequence[str]
) -> Iterator[Line]:
    """The columns that are published as they are, how far they tell rows apart, and whether one leads to people."""
    certified, counted = ({each["columns"]: each for each in one.kept} for one in (certificate, measured))
    yield compare_sides("kept", *([", ".join(each["columns"]) for each in one.kept] for one in (certificate, measured)))
    for names in (names for names in certified if names in counted):
        for what in ("unique_rows", "alone_rows", "identifies"):
            yield compare_sides(f"kept {', '.join(names)}: {what}", certified[names][what], counted[names][what])
    if measured.kept:
        expected = {fold(name) for name in identifying}
        identified = [name for name in measured.identifying_columns if fold(name) not in expected]
        reason = LEADS_TO_PEOPLE.format(", ".join(map(repr, identified))) if identified else ""
        yield Line(NOBODY_IS_FOUND, list(identifying), list(measured.identifying_columns), not identified, reason)


def source_lines(certificate: Certificate, measured: Certificate, src: str | None, problem: str) -> Iterator[Line]:
    """The lines about the source. `problem`: it is not the source of this release.

    Where an identifier repeats that nobody named, rows are not people, and nothing was promised for these.
    """
    for name in BY_SOURCE:
        certified = getattr(certificate, name)
        if certified is None or (name == "repeating_identifiers" and certificate.entity is not None):
            continue  # where people are told apart, nobody looks for another column that does
        if src is not None and not problem:
            yield compare_sides(name, certified, getattr(measured, name))
        else:
            yield Line(name, certified, None, False if problem else None, problem or NEEDS_SOURCE)
    repeating = dict.fromkeys((*(certificate.repeating_identifiers or ()), *(measured.repeating_identifiers or ())))
    if repeating and certificate.entity is None and certificate.promised:
        yield Line("promise for people", None, None, None, NEEDS_ENTITY.format(", ".join(map(repr, repeating))))


def call_lines(certificate: Certificate, made_again: bool | str) -> Iterator[Line]:
    """The lines about the call, and promises of it that cannot be counted in the release. Bounds among the
    arguments are checked as bounds.

    `made_again`: whether the same call of the same function made the same release, or why that is not known.
    """
    proven, reason = (True, "") if made_again is True else (None, str(made_again))
    for promise in certificate.unchecked:
        bound, _, why = promise.partition(": ")
        yield Line(f"promise {bound}", certificate.arguments.get(bound), None, proven, why)
    if certificate.function is not None:
        yield Line("function", certificate.function, None, proven, reason)
        yield Line("arguments", argument_names(certificate), None, proven, reason)
    for name in (name for name in certificate.arguments if name not in certificate.bounds):
        value = certificate.arguments[name]
        yield Line(f"arguments {name}", value, None, proven, reason)


def argument_names(certificate: Certificate) -> list[str]:
    """The names of all arguments of the call: an edit may leave one out."""
    return sorted({*certificate.arguments, *(("taxonomy",) if certificate.taxonomies else ())})


def claim_lines(certificate: Certificate) -> Iterator[Line]:
    """The lines that only the maker of the certificate vouches for."""
    yield Line("version", certificate.version, None, None, NEEDS_SIGNATURE)
    yield Line("created", certificate.created.strftime(CREATED), None, None, NEEDS_SIGNATURE)
