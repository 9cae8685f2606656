"""sqlanon verify: measure a table, and check bounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ...bounds import BOUNDS
from ...errors import InvalidParameter
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import read_source
from ...publishing.session import Session
from ..arguments import (
    NO_BOUNDS,
    Bounds,
    Entity,
    Json,
    NullMeaning,
    OptionalColumns,
    Sensitive,
    Taxonomies,
    read_columns,
    read_sensitive,
    read_taxonomies,
)
from ..certificates import verify_certificate
from ..failures import BROKEN
from ..output import output, print_json, print_table
from ..session import session_with_progress

MEASURES = {bound.name: bound.name if bound.needs else bound.measure for bound in BOUNDS}
"""The measure that each bound is about."""


def verify(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The table to verify, a release or not.")],
    qi: OptionalColumns = None,
    sa: Sensitive = None,
    bounds: Bounds = NO_BOUNDS,
    taxonomy: Taxonomies = None,
    entity: Entity = None,
    nulls: NullMeaning = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="Check what it says of a release, line by line.", metavar="PATH"),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", help="With --certificate: prove what needs the source.", metavar="SRC"),
    ] = None,
    signers: Annotated[
        Path | None,
        typer.Option("--signers", help="With --certificate: who may sign it (allowed_signers of SSH).", metavar="PATH"),
    ] = None,
    allow_unproven: Annotated[
        bool, typer.Option("--allow-unproven", help="With --certificate: a bound may be unproven.")
    ] = False,
    identifying: Annotated[
        list[str] | None,
        typer.Option("--identifying", help="With --certificate: may lead to people.", metavar="COLUMNS"),
    ] = None,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Measure a table; check bounds or a certificate.

    Each measure is that of the weakest class. Exit with 1 if a class breaks a bound.

    With --certificate, all that the certificate says of the release is
    computed again. Taxonomies and the source prove what the release alone cannot.
    Exit with 1 if a line does not hold, if a bound is unproven, or if a column
    that is published as it is leads to people and --identifying does not name it.
    """
    if certificate is not None:
        if qi or sa or bounds or entity or nulls:
            raise InvalidParameter("with --certificate, columns and bounds are those that it names.", "Leave them out.")
        expected = read_columns("identifying", identifying)
        verify_certificate(table, certificate, taxonomy, source, signers, allow_unproven, expected, json, engine)
        return
    if source or signers or allow_unproven or identifying:
        options = "--source, --signers, --allow-unproven and --identifying"
        raise InvalidParameter(f"{options} are about a certificate.", "Name it.")
    if not qi:
        raise InvalidParameter("--qi or --certificate is missing.", "Name the quasi-identifiers, or a certificate.")
    with session_with_progress(engine) as session:
        tbl = session.open(read_source("FILE", table), "release")
        shared: dict[str, Any] = {"tbl": tbl, "qi": read_columns("qi", qi), "nulls": nulls and nulls.value}
        taxonomies = read_taxonomies(session, taxonomy)
        attributes = read_sensitive(sa)
        measured = measure(session, {**shared, "entity": entity}, attributes, taxonomies, bounds)
        broken = (
            count_broken(session, {**shared, "entity": entity}, attributes, taxonomies, bounds)
            if bounds
            else NONE_BROKEN
        )
    answer = {"holds": not broken.classes, "violating_classes": broken.classes, "measures": measured}
    if json:
        print_json({**answer, "bounds": {name: describe(name, bounds, broken) for name in bounds}})
    else:
        print_measures(measured, bounds, broken)
    if not answer["holds"]:
        raise typer.Exit(BROKEN)


def measure(
    session: Session, shared: dict[str, Any], sa: Any, taxonomies: dict[str, str] | None, bounds: Bounds
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


@dataclass(frozen=True)
class Broken:
    """The numbers of classes that break any bound, each bound, and each bound for one sensitive attribute.

    A class that breaks a bound for several attributes is one class.
    """

    classes: int
    by_bound: Mapping[str, int]
    by_attribute: Mapping[tuple[str, str | None], int]


NONE_BROKEN = Broken(0, {}, {})


def count_broken(
    session: Session, shared: dict[str, Any], sa: Any, taxonomies: dict[str, str] | None, bounds: Bounds
) -> Broken:
    """Count the classes that break bounds."""
    tree = taxonomies if "tau" in bounds else None
    violations = session.call("violations", **shared, sa=sa, **bounds, taxonomy=tree)
    named = isinstance(sa, list)  # the first column then says which attribute a row is about
    position = violations.names.index("broken", named + len(shared["qi"]))
    by_bound: dict[str, set[str]] = defaultdict(set)
    by_attribute: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for row in violations.rows:
        attribute, cells = (row[0], row[1:]) if named else (None, row)
        one_class = repr(cells[: len(shared["qi"])])
        for name in row[position]:
            by_bound[name].add(one_class)
            by_attribute[name, attribute].add(one_class)
    return Broken(len(set().union(*by_bound.values())), count_each(by_bound), count_each(by_attribute))


def count_each(sets: Mapping[Any, set[str]]) -> dict[Any, int]:
    return {key: len(members) for key, members in sets.items()}


def describe(name: str, bounds: Bounds, broken: Broken) -> dict[str, Any]:
    """A bound, and the classes that break it."""
    return {"bound": bounds[name], "violating_classes": broken.by_bound.get(name, 0)}


def print_measures(measured: list[dict[str, Any]], bounds: Bounds, broken: Broken) -> None:
    """One measure in a row, with its bound, and how many classes break that; a table for each sensitive attribute."""
    by_measure = {MEASURES[name]: name for name in bounds if not (name == "l" and {"c", "tau"} & bounds.keys())}
    for record in measured:
        attribute = record.get("sa")
        rows = [
            (name, value, bounds[by_measure[name]], broken.by_attribute.get((by_measure[name], attribute), 0))
            if name in by_measure
            else (name, value, "", "")
            for name, value in record.items()
            if name != "sa"
        ]
        title = "" if attribute is None else f"{attribute}:"
        if bounds:
            print_table(("measure", "value", "bound", "violating classes"), rows, title)
        else:
            print_table(("measure", "value"), [row[:2] for row in rows], title)
    if bounds:
        many = "1 class breaks" if broken.classes == 1 else f"{broken.classes:,} classes break"
        output().print(f"\n{many} a bound." if broken.classes else "\nEvery class keeps every bound.")
