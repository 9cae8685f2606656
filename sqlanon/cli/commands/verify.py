"""sqlanon verify: measure a table, and check bounds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import InvalidParameter
from ...publishing.places import read_place
from ...publishing.session import Session
from ..arguments import (
    CBound,
    Entity,
    EntropyBound,
    Json,
    KBound,
    LBound,
    NullMeaning,
    OptionalColumns,
    Sensitive,
    TauBound,
    Taxonomies,
    TBound,
    read_columns,
    read_sensitive,
    read_taxonomies,
)
from ..certificates import verify_certificate
from ..failures import BROKEN
from ..output import output, print_json, print_table
from ..session import opened

MEASURES = {"k": "k", "l": "frequency_l", "entropy_l": "entropy_l", "t": "t", "c": "c", "tau": "tau"}
"""The measure that each bound is about."""


def verify(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The table to verify, a release or not.")],
    qi: OptionalColumns = None,
    sa: Sensitive = None,
    k: KBound = None,
    l: LBound = None,
    t: TBound = None,
    entropy_l: EntropyBound = None,
    c: CBound = None,
    tau: TauBound = None,
    taxonomy: Taxonomies = None,
    entity: Entity = None,
    nulls: NullMeaning = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="Check what it says of a release, line by line.", metavar="PATH"),
    ] = None,
    json: Json = False,
) -> None:
    """Measure a table; check bounds or a certificate.

    Each measure is that of the weakest class. Exit with 1 if a class breaks a bound.

    With --certificate, all that the certificate says of the release is
    computed again. Nothing else is needed but taxonomies. Exit with 1 if a line does not hold.
    """
    limits = {"k": k, "l": l, "entropy_l": entropy_l, "t": t, "c": c, "tau": tau}
    bounds = {name: value for name, value in limits.items() if value is not None}
    if certificate is not None:
        if qi or sa or bounds or entity or nulls:
            raise InvalidParameter("with --certificate, columns and bounds are those that it names.", "Leave them out.")
        verify_certificate(table, certificate, taxonomy, json)
        return
    if not qi:
        raise InvalidParameter("--qi or --certificate is missing.", "Name the quasi-identifiers, or a certificate.")
    with opened() as session:
        tbl = session.open(read_place("FILE", table), "release")
        shared: dict[str, Any] = {"tbl": tbl, "qi": read_columns("qi", qi), "nulls": nulls and nulls.value}
        taxonomies = read_taxonomies(session, taxonomy)
        attributes = read_sensitive(sa)
        measured = measure(session, {**shared, "entity": entity}, attributes, taxonomies, bounds)
        broken = violate(session, {**shared, "entity": entity}, attributes, taxonomies, bounds) if bounds else {}
    answer = {"holds": not broken.get("classes"), "violating_classes": broken.get("classes", 0), "measures": measured}
    if json:
        print_json({**answer, "bounds": {name: describe(name, bounds, broken) for name in bounds}})
    else:
        print_measures(measured, bounds, broken)
    if not answer["holds"]:
        raise typer.Exit(BROKEN)


def measure(
    session: Session, shared: dict[str, Any], sa: Any, taxonomies: dict[str, str] | None, bounds: dict[str, Any]
) -> list[dict[str, Any]]:
    """Every measure, for each sensitive attribute."""
    records = session.call("privacy", **shared, sa=sa, taxonomy=taxonomies if sa else None).records
    attributes = sa if isinstance(sa, list) else [sa]
    for record, attribute in zip(records, attributes, strict=True):
        if "c" in bounds and "l" in bounds:
            record["c"] = session.call("recursive_c", **shared, sa=attribute, l=bounds["l"]).only["c"]
        if "tau" in bounds and "l" in bounds:
            people = {name: value for name, value in shared.items() if name != "entity"}
            answer = session.call("tau_privacy", **people, sa=attribute, l=bounds["l"], taxonomy=taxonomies)
            record["tau"] = answer.only["tau"]
    return records


def violate(
    session: Session, shared: dict[str, Any], sa: Any, taxonomies: dict[str, str] | None, bounds: dict[str, Any]
) -> dict[str, int]:
    """How many classes break any bound ("classes"), and how many break each."""
    tree = taxonomies if "tau" in bounds else None
    found = session.call("violations", **shared, sa=sa, **bounds, taxonomy=tree)
    place = found.names.index("broken")
    broken = Counter(name for row in found.rows for name in set(row[place]))
    return {"classes": len(found.rows), **broken}


def describe(name: str, bounds: dict[str, Any], broken: dict[str, int]) -> dict[str, Any]:
    """A bound, and the classes that break it."""
    return {"bound": bounds[name], "violating_classes": broken.get(name, 0)}


def print_measures(measured: list[dict[str, Any]], bounds: dict[str, Any], broken: dict[str, int]) -> None:
    """One measure in a row, with its bound, and how many classes break that."""
    by_measure = {MEASURES[name]: name for name in bounds if not (name == "l" and {"c", "tau"} & bounds.keys())}
    for record in measured:
        title = str(record.pop("attribute", ""))
        rows = [
            (name, value, bounds[by_measure[name]], broken.get(by_measure[name], 0)) if name in by_measure
            else (name, value, "", "")
            for name, value in record.items()
        ]  # fmt: skip
        if bounds:
            print_table(("measure", "value", "bound", "violating classes"), rows, title)
        else:
            print_table(("measure", "value"), [row[:2] for row in rows], title)
    if bounds:
        classes = broken.get("classes", 0)
        output().print(f"\n{classes:,} classes break a bound." if classes else "\nEvery class keeps every bound.")
