"""Check a certificate: compute all that it says again, from the release alone, and tell line by line what holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from ..arguments import fold
from ..errors import InvalidParameter
from ..request.certification import MEASURES
from .certifying import run_tree
from .record import Certificate
from .types import lost_types

OF_BOUND = {"k": "k", "l": "frequency_l", "entropy_l": "entropy_l", "t": "t", "c": "recursive_c", "tau": "tau"}
"""The measure that each bound is about."""

ALL_MEASURES = (*MEASURES, "recursive_c", "tau")

BY_TAXONOMY = ("t_hierarchical", "tau")
"""The measures that depend on the taxonomy of the sensitive attribute, if there is one."""

TOLERANCE = 1e-9
"""Sums of fractions may differ in their last digits from run to run."""


@dataclass(frozen=True)
class Line:
    """One thing that a certificate says, and what the release says. `holds` is None for what is not checked."""

    what: str
    certified: object
    measured: object
    holds: bool | None
    reason: str = ""


def all_hold(lines: Iterable[Line]) -> bool:
    """Whether no line is broken. What could not be checked breaks nothing."""
    return all(line.holds is not False for line in lines)


def check(
    con: duckdb.DuckDBPyConnection, rel: str, certificate: Certificate, taxonomy: Mapping[str, str] | None = None
) -> list[Line]:
    """Compare a release with its certificate.

    `taxonomy` has the tables or files of the taxonomies that the certificate has hashes of; what needs one that is not
    there is not checked.
    """
    from ..planner.certify.content import content_statement

    content = run_tree(con, content_statement(rel))
    lines = [*content_lines(certificate, content)]
    trees = dict(taxonomy or {})
    lines += (matched := matched_taxonomies(con, certificate, trees)).values()
    usable = {column: trees[column] for column, line in matched.items() if line.holds}
    names = {fold(column["name"]) for column in content["columns"]}
    named = (*certificate.qi, *certificate.sa, *filter(None, [certificate.entity]))
    if all(fold(column) in names for column in named):
        judged = judge(con, rel, certificate, usable, lost_types(certificate, content["columns"]))
        lines += measured_lines(certificate, judged, usable, bool(content["complete"] is not False))
    else:
        lines.append(Line("measures", None, None, None, "the release lacks columns of the certificate"))
    return [*lines, *unchecked_lines(certificate)]


def content_lines(certificate: Certificate, content: Mapping[str, Any]) -> Iterator[Line]:
    """What the release is, whatever it promises. Types differ from format to format."""
    certified = sorted(name for name, _ in certificate.columns)
    measured = sorted(column["name"] for column in content["columns"])
    yield compared("content_hash", certificate.content_hash, content["content_hash"])
    yield compared("rows", certificate.rows, content["rows"])
    yield compared("columns", certified, measured)
    yield compared("groups", certificate.groups, content["groups"])
    if content["complete"] is not None:
        yield Line("group_id has no gaps", True, content["complete"], content["complete"])


def matched_taxonomies(
    con: duckdb.DuckDBPyConnection, certificate: Certificate, trees: Mapping[str, str]
) -> dict[str, Line]:
    """By column, whether its taxonomy is the one that the certificate is about."""
    from sqlglot import exp

    from ..planner.certify.content import taxonomy_hashes

    for column in trees:
        if column not in certificate.taxonomies:
            raise InvalidParameter(f"taxonomy: the certificate has none of column {column!r}.", "Leave it out.")
    hashes: Mapping[str, str] = {}
    if trees:
        selected = exp.select(exp.alias_(taxonomy_hashes(list(trees.items())), "hashes"))
        hashes = run_tree(con, selected)["hashes"]
    return {
        column: compared(f"taxonomy of {column}", certified, hashes[column])
        if column in hashes
        else Line(f"taxonomy of {column}", certified, None, None, "it was not given")
        for column, certified in certificate.taxonomies.items()
    }


def judge(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    certificate: Certificate,
    trees: Mapping[str, str],
    types: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    """What the release holds. tau is left out where the taxonomy that it is about is not there."""
    from ..planner.certify.statement import judgement_statement
    from ..request.certification import read_certification

    promised = tuple(name for name in certificate.promised if name != "tau" or knows_tau(certificate, trees))
    bounds = {name: value for name, value in certificate.bounds.items() if name != "tau" or "tau" in promised}
    request = read_certification(
        "certify",
        {
            "rel": rel,
            "qi": list(certificate.qi),
            "sa": list(certificate.sa) or None,
            "entity": certificate.entity,
            "nulls": certificate.nulls,
            "taxonomy": {column: table for column, table in trees.items() if column in certificate.sa} or None,
            **bounds,
        },
        promised,
    )
    return run_tree(con, judgement_statement(request, types))


def knows_tau(certificate: Certificate, trees: Mapping[str, str]) -> bool:
    """Whether every taxonomy of a sensitive attribute is there."""
    return all(column in trees for column in certificate.taxonomies if column in certificate.sa)


def measured_lines(
    certificate: Certificate, judged: Mapping[str, Any], trees: Mapping[str, str], complete: bool
) -> Iterator[Line]:
    """The measures, then the bounds, attribute by attribute."""
    yield compared("classes", certificate.classes, judged["classes"])
    for certified, measured in zip(certificate.measures, judged["measures"], strict=True):
        sa = certified["sa"]
        of = f" of {sa}" if len(certificate.measures) > 1 else ""
        unknown = {
            name
            for name in BY_TAXONOMY
            if (name == "tau" and not knows_tau(certificate, trees))
            or (sa in certificate.taxonomies and sa not in trees)
        }
        for name in (*ALL_MEASURES, "broken_classes"):
            if name in unknown or (name == "broken_classes" and "tau" in unknown & set(certificate.promised)):
                if certified[name] is not None:
                    yield Line(f"{name}{of}", certified[name], None, None, NEEDS_TAXONOMY)
            elif certified[name] is not None or measured[name] is not None:
                yield compared(f"{name}{of}", certified[name], measured[name])
        for bound in certificate.promised:
            value, measure = certificate.bounds[bound], measured[OF_BOUND[bound]]
            if bound in unknown:
                yield Line(f"bound {bound}{of}", value, None, None, NEEDS_TAXONOMY)
            else:
                yield Line(f"bound {bound}{of}", value, measure, bound not in measured["broken"])
    for name, risk in certificate.risk.items():
        yield compared(f"risk {name}", risk, judged["risk"][name])
    broken = [*judged["broken_bounds"], *(() if complete else ("group_id",))]
    skipped = set() if knows_tau(certificate, trees) else {"tau"}
    yield compared("broken", [name for name in certificate.broken if name not in skipped], broken)


NEEDS_TAXONOMY = "it needs the taxonomy that was certified"


def unchecked_lines(certificate: Certificate) -> Iterator[Line]:
    """What cannot be computed again."""
    for promise in certificate.unchecked:
        bound, _, reason = promise.partition(": ")
        yield Line(f"promise {bound}", None, None, None, reason)
    if certificate.source_rows is not None:
        yield Line("source_rows", certificate.source_rows, None, None, NEEDS_SOURCE)
        for name, value in (certificate.loss or {}).items():
            yield Line(f"loss {name}", value, None, None, NEEDS_SOURCE)


NEEDS_SOURCE = "it needs the source"


def compared(what: str, certified: object, measured: object) -> Line:
    """A line whose two sides have to be the same."""
    if isinstance(certified, float) or isinstance(measured, float):
        same = certified is not None and measured is not None and _close(certified, measured)
    else:
        same = certified == measured
    return Line(what, certified, measured, same)


def _close(one: Any, other: Any) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
