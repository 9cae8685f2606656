"""sqlanon certify: the certificate of a release."""

from __future__ import annotations

from typing import Annotated

import typer

from ... import certificate
from ...errors import InvalidParameter
from ...publishing.destinations import refuse_existing, write_text
from ...publishing.places import file_of, full_path, read_place
from ..arguments import (
    CBound,
    Columns,
    Entity,
    EntropyBound,
    Json,
    KBound,
    LBound,
    NullMeaning,
    Sensitive,
    TauBound,
    Taxonomies,
    TBound,
    read_columns,
    read_sensitive,
    read_taxonomies,
)
from ..failures import BROKEN
from ..output import output, print_json, print_pairs, printable
from ..session import opened

VERDICTS = {True: "every bound holds", False: "broken", None: "nothing was promised"}


def certify(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The release.")],
    qi: Columns,
    sa: Sensitive = None,
    k: KBound = None,
    l: LBound = None,
    t: TBound = None,
    entropy_l: EntropyBound = None,
    c: CBound = None,
    tau: TauBound = None,
    source: Annotated[str | None, typer.Option("--source", help="Its source: for the loss.", metavar="SRC")] = None,
    taxonomy: Taxonomies = None,
    entity: Entity = None,
    nulls: NullMeaning = None,
    out: Annotated[str | None, typer.Option("--out", help="Where the certificate goes.", metavar="PATH")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the certificate.")] = False,
    json: Json = False,
) -> None:
    """Make the certificate of a release.

    It says what was promised, what holds, the risk and the loss, and which release it is.

    Without --out, the certificate is printed. Exit with 1 if a bound is broken; the certificate then says so.
    """
    place, path = read_place("FILE", table), None if out is None else full_path("out", out)
    if path is not None:
        if path in (file_of(place), source and file_of(read_place("source", source))):
            raise InvalidParameter("the certificate would take the place of data.", "Choose another path with --out.")
        refuse_existing(path, force)
    with opened() as session:
        certified = certificate.certify(
            session.con,
            session.open_release(place, "release"),
            read_columns("qi", qi),
            read_sensitive(sa),
            taxonomy=read_taxonomies(session, taxonomy),
            src=None if source is None else session.open(read_place("source", source), "source"),
            entity=entity,
            nulls=nulls and nulls.value,
            k=k,
            l=l,
            t=t,
            entropy_l=entropy_l,
            c=c,
            tau=tau,
        )
    if path is not None:
        write_text(path, certified.to_json(), force)
    if json:
        print_json(certified.as_plain())
    elif path is None:
        print(certified.to_json(), end="")
    else:
        verdict = VERDICTS[certified.holds] + (f": {', '.join(certified.broken)}" if certified.broken else "")
        print_pairs({"verdict": verdict, "rows": certified.rows, "classes": certified.classes, **certified.risk})
        output().print(f"\nWritten to {printable(str(out))}.", soft_wrap=True)
    if certified.holds is False:
        raise typer.Exit(BROKEN)
