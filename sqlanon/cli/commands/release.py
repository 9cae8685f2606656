"""sqlanon release: publish a table."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import InvalidParameter
from ...functions.parameters import ALGO, FORMAT, KEEP, RECODE, SEED
from ...next_steps import NextStep
from ...publishing.eligibility import advise_in
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import STANDARD, Stream, Target, fill_date, full_path, read_source, read_target
from ...publishing.publication import Publication, certificate_path, release_function
from ...publishing.release import publish
from ...publishing.summary import summarize
from ..arguments import (
    NO_BOUNDS,
    Bounds,
    Columns,
    Entity,
    Format,
    Json,
    NullMeaning,
    Sensitive,
    Taxonomies,
    read_columns,
    read_options,
    read_pairs,
    read_sensitive,
)
from ..certificates import print_warnings
from ..options import flag_of
from ..output import output, print_json, print_pairs, printable, short_path
from ..session import session_with_progress


def write_options(step: NextStep) -> str:
    """A next step as options of the command.

    >>> write_options(NextStep("taudiverse", {"tau": 0.5, "l": 2}))
    '--tau 0.5 -l 2'
    >>> write_options(NextStep("", {"algo": "incognito", "options": {"suppress": "0.04"}}))
    '--algo incognito --option suppress=0.04'
    >>> write_options(NextStep("", {"l": 2.25, "entropy_l": 2.5}))
    '-l 2.25 --entropy-l 2.5'
    """
    return " ".join(part for name, value in step.arguments.items() for part in options(name, value))


def options(name: str, value: object) -> Iterator[str]:
    """An argument of the function, as options."""
    if isinstance(value, Mapping):
        yield from (f"--option {option}={each}" for option, each in value.items())
    else:
        yield f"{flag_of(name)} {value}"


def whole_if_it_is(value: float) -> float:
    """A number as functions that want whole ones take it."""
    return int(value) if value == int(value) else value


def release(
    source: Annotated[str, typer.Argument(metavar="IN", help="The table to publish.")],
    out: Annotated[str, typer.Argument(metavar="OUT", help="Where the release goes.")],
    qi: Columns,
    sa: Sensitive = None,
    bounds: Bounds = NO_BOUNDS,
    algo: Annotated[str | None, typer.Option("--algo", help=ALGO.help)] = None,
    taxonomy: Taxonomies = None,
    keep: Annotated[list[str] | None, typer.Option("--keep", help=KEEP.help, metavar="COLUMNS")] = None,
    format: Annotated[Format | None, typer.Option("--format", help=FORMAT.help)] = None,
    recode: Annotated[str | None, typer.Option("--recode", help=RECODE.help)] = None,
    nulls: NullMeaning = None,
    entity: Entity = None,
    seed: Annotated[int | None, typer.Option("--seed", envvar="SQLANON_SEED", help=SEED.help)] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of the algorithm. Repeatable.", metavar="NAME=VALUE")
    ] = None,
    certificate: Annotated[
        str | None, typer.Option("--certificate", help="Where the certificate goes: beside OUT.", metavar="PATH")
    ] = None,
    no_certificate: Annotated[bool, typer.Option("--no-certificate", help="Write no certificate.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT and the certificate.")] = False,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Publish a table, with its certificate.

    It is k-anonymous (-k), l-diverse (-l) or (tau,l)-diverse (--tau, -l, and -k for classes of k rows), or keeps
    several bounds at once: -k 11 -l 3 -t 0.4.

    Columns that are not named are not published. OUT appears when all of it is written and checked, or not at all; then
    its certificate does, which sqlanon verify checks.
    """
    began = time.perf_counter()
    function = release_function(bounds)
    arguments: dict[str, Any] = {
        "qi": read_columns("qi", qi),
        "sa": read_sensitive(sa),
        **{name: whole_if_it_is(value) for name, value in bounds.items()},
        "algo": algo,
        "keep": read_columns("keep", keep) or None,
        "format": format and format.value,
        "recode": recode,
        "nulls": nulls and nulls.value,
        "entity": entity,
        "seed": seed,
        "options": read_options(option),
    }
    out, certificate = fill_date(out), certificate and fill_date(certificate)
    target = read_target("OUT", out)
    publication = Publication(
        source=read_source("IN", source),
        target=target,
        function=function,
        arguments=arguments,
        taxonomy=read_pairs("taxonomy", taxonomy),
        certificate=choose_certificate(target, certificate, no_certificate),
    )
    with session_with_progress(engine) as session, advise_in(write_options):
        outcome = publish(session, publication, force)
    summary = summarize(outcome, publication.named_arguments)
    summary["seconds"] = time.perf_counter() - began
    print_warnings(outcome.certificate)
    with redirect_stdout(sys.stderr) if isinstance(target, Stream) else nullcontext():
        print_outcome(summary, out, publication.certificate, json)


def print_outcome(summary: dict[str, Any], out: str, certificate: Path | None, json: bool) -> None:
    """Print the numbers, and where everything is."""
    shown = None if certificate is None else short_path(certificate)
    if json:
        print_json({**summary, "written": out, "certificate": shown})
        return
    print_pairs(summary)
    output().print(f"\nWritten to {'standard output' if out == STANDARD else printable(out)}.", soft_wrap=True)
    if shown is not None:
        output().print(f"Its certificate is {printable(shown)}.", soft_wrap=True)


def choose_certificate(target: Target, path: str | None, unwanted: bool) -> Path | None:
    """The path of the certificate, if there is one: there is none beside standard output."""
    if path is not None and unwanted:
        raise InvalidParameter("--certificate and --no-certificate do not go together.")
    if unwanted or (path is None and isinstance(target, Stream)):
        return None
    return certificate_path(target) if path is None else full_path("certificate", path)
