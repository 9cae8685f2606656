"""Sign certificates, and tell who did: signatures of OpenSSH, by its ssh-keygen, in files beside them.

No shell is involved, and no data: what is signed goes to ssh-keygen as it is, on its standard input.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which

from ..errors import BadSignature, WrongColumn

NAMESPACE = "sqlanon-certificate"
"""The purpose of a signature: one that was made of the same bytes for another does not count."""

PROGRAM = "ssh-keygen"


def signature_path(certificate: Path) -> Path:
    """The path of the signature of a certificate."""
    return certificate.with_name(f"{certificate.name}.sig")


def sign(certificate: bytes, key: Path) -> str:
    """The signature of a certificate, which is text. A key with a passphrase is asked for on the terminal."""
    if not key.is_file():
        raise WrongColumn(f"there is no key {str(key)!r}.", "Name the file of a key of SSH; ssh-keygen makes one.")
    answer = run_ssh_keygen(["sign", "-f", absolute_path(key), "-n", NAMESPACE], certificate)
    if answer.returncode or not answer.stdout.startswith(b"-----BEGIN SSH SIGNATURE-----"):
        hint = "A key with a passphrase is signed with on a terminal, or by ssh-agent: name its public half."
        raise BadSignature(f"ssh-keygen does not sign with {str(key)!r}.", hint)
    return answer.stdout.decode("ascii")


def verify_signature(certificate: bytes, signature: Path, signers: Path) -> str:
    """The signer of a certificate, as the list of those who may sign names them; SA304 if nobody in it did."""
    if not signers.is_file():
        raise WrongColumn(
            f"there is no list of signers {str(signers)!r}.", "docs/certificate.md says how to write one."
        )
    if not signature.is_file():
        raise BadSignature("the certificate is not signed.", f"Its signature would be {str(signature)!r}.")
    files = ["-s", absolute_path(signature), "-f", absolute_path(signers)]
    principals = run_ssh_keygen(["find-principals", *files], b"")
    names = [
        name for line in principals.stdout.decode("utf-8", "replace").splitlines() for name in line.split(",") if name
    ]
    if principals.returncode or not names:
        raise BadSignature("whoever signed the certificate is not among the signers.")
    if run_ssh_keygen(["verify", *files, "-n", NAMESPACE, "-I", names[0]], certificate).returncode:
        raise BadSignature(
            "the signature is not one of this certificate.", "It was changed, or signed for another use."
        )
    return names[0]


def absolute_path(path: Path) -> str:
    """The full path, which no program takes for an option."""
    return str(path.absolute())


def run_ssh_keygen(arguments: Sequence[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run ssh-keygen -Y. Off a terminal it cannot ask for a passphrase: then it fails, and does not wait."""
    program = which(PROGRAM)
    if program is None:
        raise BadSignature(
            "ssh-keygen is not installed, so nothing can be signed or told of signatures.",
            "Install OpenSSH: apt install openssh-client.",
        )
    on_terminal = sys.stdin is not None and sys.stdin.isatty()
    environment = {**os.environ, "LC_ALL": "C"} if on_terminal else {**os.environ, **SILENT}
    return subprocess.run(
        [program, "-Y", *arguments],
        input=data,
        stdout=subprocess.PIPE,
        stderr=None if on_terminal else subprocess.DEVNULL,
        env=environment,
        start_new_session=not on_terminal,
        check=False,
    )


SILENT = {"LC_ALL": "C", "SSH_ASKPASS_REQUIRE": "never"}
"""No window asks for a passphrase, either."""
