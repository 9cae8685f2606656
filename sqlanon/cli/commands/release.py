"""sqlanon release: publish a table."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import duckdb
import typer

from ...algorithms import find as find_algorithm
from ...errors import InvalidParameter, NotEligible, from_duckdb
from ...functions import signature
from ...models import choose
from ...phases import phase
from ...publishing.destinations import prepare, written
from ...publishing.places import File, Place, read_place
from ...publishing.session import Session, call
from ..arguments import (
    Columns,
    Entity,
    Format,
    Json,
    NullMeaning,
    Sensitive,
    Taxonomies,
    read_columns,
    read_options,
    read_sensitive,
    read_taxonomies,
)
from ..output import output, print_json, print_pairs, printable
from ..session import opened

STATEMENTS = (
    (r"\bldiverse\(…, (\d+)\)", r"-l \1"),
    (r"\btaudiverse\(…, ([\d.]+), (\d+)\)", r"--tau \1 -l \2"),
    (r"algo := '(\w+)', options := \{'(\w+)': ([\d.]+)\}", r"--algo \1 --option \2=\3"),
)
"""What hints say in SQL, and how the command line says it."""


def release(
    source: Annotated[str, typer.Argument(metavar="IN", help="The table to publish.")],
    out: Annotated[str, typer.Argument(metavar="OUT", help="Where the release goes.")],
    qi: Columns,
    sa: Sensitive = None,
    k: Annotated[int | None, typer.Option("-k", help="Every group has at least k rows.")] = None,
    l: Annotated[int | None, typer.Option("-l", help="No sensitive value takes more than 1/l of a group.")] = None,
    tau: Annotated[
        float | None, typer.Option("--tau", help="With -l: generalize sensitive values, too; none is likelier.")
    ] = None,
    algo: Annotated[str | None, typer.Option("--algo", help="The algorithm that groups rows.")] = None,
    taxonomy: Taxonomies = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="Columns to publish as they are.", metavar="COLUMNS")
    ] = None,
    format: Annotated[Format | None, typer.Option("--format", help="How quasi-identifiers are written.")] = None,
    recode: Annotated[str | None, typer.Option("--recode", help="generalize, suppress or none.")] = None,
    nulls: NullMeaning = None,
    entity: Entity = None,
    seed: Annotated[
        int | None, typer.Option("--seed", envvar="SQLANON_SEED", help="Makes random algorithms repeatable: a secret.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of the algorithm. Repeatable.", metavar="NAME=VALUE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT.")] = False,
    json: Json = False,
) -> None:
    """Publish a table: k-anonymous (-k), l-diverse (-l) or (tau,l)-diverse (--tau, -l).

    Columns that are not named are not published. OUT appears when all of it is written and checked, or not at all.
    """
    began = time.perf_counter()
    function = choose_function(k, l, tau)
    arguments: dict[str, Any] = {
        "qi": read_columns("qi", qi),
        "sa": read_sensitive(sa),
        "k": k,
        "l": l,
        "tau": tau,
        "algo": algo,
        "keep": read_columns("keep", keep) or None,
        "format": format and format.value,
        "recode": recode,
        "nulls": nulls and nulls.value,
        "entity": entity,
        "seed": seed,
        "options": read_options(option),
    }
    origin, target = read_place("IN", source), read_place("OUT", out)
    refuse_typed_text(target, format)
    with opened() as session:
        prepare(session, origin, target, force)
        arguments["taxonomy"] = read_taxonomies(session, taxonomy)
        arguments["tbl"] = session.open(origin, "source")
        query = call(function, **arguments)
        with in_arguments(), phase(f"publishing with {function}"), written(session, target, query, force) as name:
            summary = measure(session, function, arguments, name)
    summary["seconds"] = time.perf_counter() - began
    if json:
        print_json({**summary, "written": out})
    else:
        print_pairs(summary)
        output().print(f"\nWritten to {printable(out)}.", soft_wrap=True)


@contextmanager
def in_arguments() -> Iterator[None]:
    """If a table is not eligible, what could be tried is told as arguments of the command, not as SQL."""
    try:
        yield
    except duckdb.Error as error:
        refusal = from_duckdb(error)
        if not isinstance(refusal, NotEligible):
            raise
        text = refusal.message
        for pattern, arguments in STATEMENTS:
            text = re.sub(pattern, arguments, text)
        raise NotEligible(text) from None


def choose_function(k: int | None, l: int | None, tau: float | None) -> str:
    """The release function for these parameters."""
    if tau is not None and l is not None and k is None:
        return "taudiverse"
    if l is not None and tau is None and k is None:
        return "ldiverse"
    if k is not None and l is None and tau is None:
        return "kanonymous"
    raise InvalidParameter(
        "these parameters do not go together.",
        "Give -k, or -l (no group then has fewer than l rows), or --tau and -l.",
    )


def refuse_typed_text(target: Place, format: Format | None) -> None:
    """A CSV file has no types."""
    if format is Format.TYPED and isinstance(target, File) and target.format.name == "csv":
        raise InvalidParameter("a CSV file has no types.", "Write typed releases to Parquet or to a DuckDB table.")


def measure(session: Session, function: str, arguments: Mapping[str, Any], release: str) -> dict[str, Any]:
    """What came out, from what was written: sizes, what was promised, what was achieved, what was lost."""
    with phase("measuring the release"):
        groups = session.run(f"SELECT count(DISTINCT group_id) FROM {release}").rows[0][0]
        achieved = achieve(session, function, arguments, release)
        loss = session.call(
            "info_loss", src=arguments["tbl"], rel=release, qi=arguments["qi"], taxonomy=of_columns(arguments, "qi")
        ).only
    promised = {name: arguments[name] for name in ("k", "l", "tau") if arguments[name] is not None}
    return {
        "function": function,
        "algo": algorithm(function, arguments),
        "source_rows": loss["source_rows"],
        "release_rows": loss["release_rows"],
        "suppressed_rows": loss["suppressed_rows"],
        "groups": groups,
        **{f"promised_{name}": value for name, value in promised.items()},
        **{f"achieved_{name}": value for name, value in achieved.items()},
        "gcp": loss["gcp"],
    }


def achieve(session: Session, function: str, arguments: Mapping[str, Any], release: str) -> dict[str, Any]:
    """What the release keeps, by rows, as far as it can be told from the release alone."""
    counted = {"tbl": release, "qi": arguments["qi"], "nulls": arguments["nulls"]}
    attributes = arguments["sa"] if isinstance(arguments["sa"], list) else [arguments["sa"]]
    exact = function == "ldiverse" and effective_recode(arguments) == "none"
    achieved = {} if exact else {"k": session.call("privacy", **counted).only["k"]}
    if function == "ldiverse" and not exact:
        achieved["l"] = min(session.call("privacy", **counted, sa=name).only["frequency_l"] for name in attributes)
    elif function != "kanonymous":  # sensitive values are lists or labels
        taxonomy = of_columns(arguments, "sa") if function == "taudiverse" else None
        shared = {**counted, "l": arguments["l"], "taxonomy": taxonomy}
        guessed = [session.call("tau_privacy", **shared, sa=name).only["tau"] for name in attributes]
        if None not in guessed:  # as where bins of numbers have labels that no taxonomy explains
            achieved["tau"] = max(guessed)
    return achieved


def of_columns(arguments: Mapping[str, Any], role: str) -> dict[str, str] | None:
    """The taxonomies of the columns in a role."""
    names = arguments[role] if isinstance(arguments[role], list) else [arguments[role]]
    chosen = {column: table for column, table in (arguments["taxonomy"] or {}).items() if column in names}
    return chosen or None


def algorithm(function: str, arguments: Mapping[str, Any]) -> str:
    """The algorithm that ran: the macro has the default."""
    return str(arguments["algo"] or signature(function)["algo"])


def effective_recode(arguments: Mapping[str, Any]) -> str:
    """How an l-diverse release was written: as the user said, or as its algorithm does."""
    return arguments["recode"] or find_algorithm(choose("ldiverse").name, algorithm("ldiverse", arguments)).recode
