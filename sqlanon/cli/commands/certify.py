"""sqlanon certify: the certificate of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ... import certificate
from ...certificate.signing import sign as signature_of
from ...certificate.signing import signature_path
from ...errors import InvalidParameter
from ...phases import phase
from ...publishing.destinations import Publishing, Text, write_companions
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import fill_date, full_path, has_file, read_source
from ...publishing.summary import suspicious_columns
from ..arguments import (
    NO_BOUNDS,
    Bounds,
    Columns,
    Entity,
    Json,
    NullMeaning,
    Sensitive,
    Taxonomies,
    read_columns,
    read_sensitive,
    read_taxonomies,
)
from ..certificates import print_warnings
from ..failures import BROKEN
from ..output import output, print_json, print_pairs, printable
from ..session import session_with_progress

VERDICTS = {True: "every bound holds", False: "broken", None: "nothing was promised"}


def certify(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The release.")],
    qi: Columns,
    sa: Sensitive = None,
    bounds: Bounds = NO_BOUNDS,
    source: Annotated[str | None, typer.Option("--source", help="Its source: are rows people?", metavar="SRC")] = None,
    taxonomy: Taxonomies = None,
    entity: Entity = None,
    nulls: NullMeaning = None,
    out: Annotated[str | None, typer.Option("--out", help="Where the certificate goes.", metavar="PATH")] = None,
    sign: Annotated[
        Path | None, typer.Option("--sign", help="Sign it with this key of SSH: OUT.sig.", metavar="KEY")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the certificate.")] = False,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Make the certificate of a release.

    It says what was promised, what holds, the risk, and which release it is.

    Without --out, the certificate is printed. Exit with 1 if a bound is broken, or if a column that is published as it
    is leads to people; the certificate then says so.
    """
    out = out and fill_date(out)
    release, path = read_source("FILE", table), None if out is None else full_path("out", out)
    origin = None if source is None else read_source("source", source)
    if path is not None:
        if has_file(release, path) or (origin is not None and has_file(origin, path)):
            raise InvalidParameter("the certificate would take the place of data.", "Choose another path with --out.")
    elif sign is not None:
        raise InvalidParameter("--sign needs --out.", "A signature goes beside the certificate.")
    outputs = [] if path is None else [path] if sign is None else [path, signature_path(path)]
    # no other run publishes the release meanwhile, with this certificate beside it
    with write_companions(outputs, force, Publishing()) as write, session_with_progress(engine) as session:
        rel = session.open_release(release, "release")
        src = None if origin is None else session.open(origin, "source")
        trees = read_taxonomies(session, taxonomy)
        with phase("measuring the release", lambda: session.count_rows(rel)):
            certified = certificate.certify(
                session.con,
                rel,
                read_columns("qi", qi),
                read_sensitive(sa),
                taxonomy=trees,
                src=src,
                entity=entity,
                nulls=nulls and nulls.value,
                **bounds,
            )
        written = certified.to_json()
        contents = [written] if sign is None else [written, signature_of(written.encode(), sign)]
        write({path: Text(content) for path, content in zip(outputs, contents, strict=False)})
    print_warnings(certified)
    if json:
        print_json(certified.as_plain())
    elif path is None:
        print(certified.to_json(), end="")
    else:
        verdict = VERDICTS[certified.holds] + (f": {', '.join(certified.broken)}" if certified.broken else "")
        measures = {"rows": certified.rows, "classes": certified.classes, **certified.risk}
        suspicious = {name: ", ".join(columns) for name, columns in suspicious_columns(certified).items()}
        print_pairs({"verdict": verdict, **measures, **suspicious})
        signed = "" if sign is None else f" Its signature is {printable(str(signature_path(Path(str(out)))))}."
        output().print(f"\nWritten to {printable(str(out))}.{signed}", soft_wrap=True)
    if certified.holds is False or certified.identifying_columns:
        raise typer.Exit(BROKEN)
