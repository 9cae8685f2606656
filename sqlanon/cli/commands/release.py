"""sqlanon release: publish a table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import InvalidParameter
from ...publishing.eligibility import advising_in
from ...publishing.places import Place, full_path, read_place
from ...publishing.publication import Publication, certificate_path, release_function
from ...publishing.release import publish
from ...publishing.summary import summarize
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
    read_pairs,
    read_sensitive,
)
from ..output import output, print_json, print_pairs, printable, shown_path
from ..session import opened

ARGUMENTS = {
    "ldiverse": r"-l \1",
    "taudiverse": r"--tau \1 -l \2",
    "algo": r"--algo \1 --option \2=\3",
}
"""How the command line says what hints say in SQL."""


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
    certificate: Annotated[
        str | None, typer.Option("--certificate", help="Where the certificate goes: beside OUT.", metavar="PATH")
    ] = None,
    no_certificate: Annotated[bool, typer.Option("--no-certificate", help="Write no certificate.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT and the certificate.")] = False,
    json: Json = False,
) -> None:
    """Publish a table, with its certificate.

    It is k-anonymous (-k), l-diverse (-l) or (tau,l)-diverse (--tau, -l).

    Columns that are not named are not published. OUT appears when all of it is written and checked, or not at all; then
    its certificate does, which sqlanon verify checks.
    """
    began = time.perf_counter()
    function = release_function([name for name, value in {"k": k, "l": l, "tau": tau}.items() if value is not None])
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
    target = read_place("OUT", out)
    publication = Publication(
        source=read_place("IN", source),
        target=target,
        function=function,
        arguments=arguments,
        taxonomy=read_pairs("taxonomy", taxonomy),
        certificate=choose_certificate(target, certificate, no_certificate),
    )
    with opened() as session, advising_in(ARGUMENTS):
        certified = publish(session, publication, force)
    summary = summarize(certified, publication.named_arguments)
    summary["seconds"] = time.perf_counter() - began
    if json:
        path = publication.certificate
        print_json({**summary, "written": out, "certificate": None if path is None else shown_path(path)})
        return
    print_pairs(summary)
    output().print(f"\nWritten to {printable(out)}.", soft_wrap=True)
    if publication.certificate is not None:
        output().print(f"Its certificate is {printable(shown_path(publication.certificate))}.", soft_wrap=True)


def choose_certificate(target: Place, path: str | None, unwanted: bool) -> Path | None:
    """Where the certificate goes, if there is one."""
    if path is not None and unwanted:
        raise InvalidParameter("--certificate and --no-certificate do not go together.")
    if unwanted:
        return None
    return certificate_path(target) if path is None else full_path("certificate", path)
