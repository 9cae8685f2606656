"""sqlanon sign: sign a certificate that is there already."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...certificate import Certificate
from ...certificate.signing import sign as signature_of
from ...certificate.signing import signature_path
from ...publishing.destinations import Text, refuse_existing, write_text
from ..arguments import Json
from ..certificates import read_bytes
from ..output import output, print_json, printable


def sign(
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="The certificate, a JSON file.")],
    key: Annotated[Path, typer.Option("--key", help="The key of SSH to sign with.", metavar="KEY")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the signature.")] = False,
    json: Json = False,
) -> None:
    """Sign a certificate.

    The signature goes beside it, as CERTIFICATE.sig. Look at what you sign: verify it first.
    """
    written = read_bytes(certificate)
    Certificate.from_json(written)
    path = signature_path(certificate)
    refuse_existing(path, force)
    write_text(path, Text(signature_of(written, key)), force)
    if json:
        print_json({"signature": str(path)})
    else:
        output().print(f"Signed: {printable(str(path))}.", soft_wrap=True)
