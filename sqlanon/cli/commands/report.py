"""sqlanon report: a page to read, print and sign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import InvalidParameter
from ...policy.reading import read_policy
from ...publishing.destinations import Text, stage_file, write_unnamed
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import fill_date, full_path, has_file, read_source
from ..arguments import Columns, Json, Sensitive, Taxonomies, read_columns, read_sensitive, read_taxonomies
from ..certificates import load_certificate
from ..failures import BROKEN
from ..output import output, print_json, printable
from ..session import session_with_progress


def report(
    release: Annotated[str, typer.Argument(metavar="REL", help="The release.")],
    out: Annotated[str, typer.Argument(metavar="OUT.html", help="Where the page goes.")],
    qi: Columns,
    sa: Sensitive = None,
    source: Annotated[
        str | None, typer.Option("--source", help="The table that was published: the page is for its owner.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="The certificate of the release, JSON.", metavar="FILE")
    ] = None,
    k: Annotated[int | None, typer.Option("-k", help="The k that was promised, without a certificate.")] = None,
    l: Annotated[int | None, typer.Option("-l", help="The l that was promised, without a certificate.")] = None,
    algo: Annotated[str | None, typer.Option("--algo", help="The algorithm, without a certificate.")] = None,
    taxonomy: Taxonomies = None,
    public: Annotated[
        bool, typer.Option("--public", help="A page to be shared: from release and certificate alone.")
    ] = False,
    policy: Annotated[
        Path | None,
        typer.Option(
            "--policy", help="The policy, for the owner's page of approval: its record and hash.", metavar="FILE"
        ),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="The title of the page.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT.html.")] = False,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Write a report of a release, one HTML file.

    It has risk, loss, and whether the certificate holds. With --source it is for the owner. With --public it is to be
    shared, and says nothing of the source. The exit code is 1, and the page is written, if a promise is broken, a
    column that is published as it is leads to people, or the certificate is not that of the release.
    """
    from ...report import report as make  # here, because it is an extra

    out = fill_date(out)
    target, sources = read_target(out), [read_source("REL", release)]
    if source is not None:
        sources.append(read_source("--source", source))
    for one in sources:
        if has_file(one, target):
            raise InvalidParameter("OUT.html is one of the tables.", "Write the report somewhere else.")
    record = read_policy(policy).record if policy is not None else None
    certified = load_certificate(certificate) if certificate is not None else None
    with stage_file(target, force) as unnamed, session_with_progress(engine) as session:
        made = make(
            session.con,
            session.open_release(sources[0], "release"),
            read_columns("qi", qi),
            read_sensitive(sa),
            src=session.open(sources[1], "source") if source is not None else None,
            certificate=certified,
            taxonomy=read_taxonomies(session, taxonomy),
            k=k,
            l=l,
            algo=algo,
            public=public,
            title=title,
            record=record,
        )
        write_unnamed(unnamed, target, Text(made.html, private=not public))
    if json:
        print_json({"written": out, "kind": "public" if public else "owner", "holds": made.holds})
    else:
        broken = f" {BAD_NEWS}" if made.holds is False else ""
        output().print(f"Written to {printable(out)}.{broken}", soft_wrap=True)
    if made.holds is False:
        raise typer.Exit(BROKEN)


BAD_NEWS = (
    "A promise is broken, a column that is published as it is leads to people, or the certificate is not that of the "
    "release."
)


def read_target(text: str) -> Path:
    """The path of the page: a file that browsers open."""
    if not text.lower().endswith((".html", ".htm")):
        raise InvalidParameter(f"OUT.html: {text!r} does not end in .html.", "A report is a page of HTML.")
    return full_path("OUT.html", text)
