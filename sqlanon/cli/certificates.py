"""A release is compared with its certificate, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from ..certificate import Certificate, Line, all_hold, check, unproven
from ..certificate.checking import CLAIMS
from ..certificate.signing import signature_path, verify_signature
from ..errors import BadSignature, WrongColumn
from ..phases import phase
from ..publishing.engine import AUTOMATIC, Engine
from ..publishing.paths import read_source
from ..publishing.summary import warnings
from .arguments import read_taxonomies
from .failures import BROKEN
from .narration import print_warning
from .output import cell, output, print_json, print_table, print_text, printable
from .session import session_with_progress

HASH_LENGTH, SHOWN_DIGITS = 64, 12


def verify_certificate(
    release: str,
    path: Path,
    taxonomies: Sequence[str] | None,
    source: str | None = None,
    signers: Path | None = None,
    allow_unproven: bool = False,
    identifying: Sequence[str] = (),
    json: bool = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Say of each line whether it holds; exit with 1 if one does not, or if a bound is unproven and must not be."""
    written = read_bytes(path)
    certificate = Certificate.from_json(written)
    signature = signature_lines(written, path, signers)
    with session_with_progress(engine) as session:
        rel = session.open_release(read_source("FILE", release), "release")
        src = None if source is None else session.open(read_source("source", source), "source")
        trees = read_taxonomies(session, taxonomies)
        with phase("checking the certificate", lambda: session.count_rows(rel)):
            checked = check(session.con, rel, certificate, trees, src, identifying=identifying)
    lines = [*signature, *(line for line in checked if not (line.what in CLAIMS and all_hold(signature) and signers))]
    holds = all_hold(lines, allow_unproven=allow_unproven)
    if json:
        print_json({"holds": holds, "unproven": unproven(lines), "lines": [as_record(line) for line in lines]})
    else:
        print_lines(lines)
        if not holds and all_hold(lines, allow_unproven=True):
            output().print(UNPROVEN_BOUND)
    if not holds:
        raise typer.Exit(BROKEN)


UNPROVEN_BOUND = (
    "A bound is among them. Pass what it needs: --taxonomy, --source. Or take its maker's word: --allow-unproven."
)


def signature_lines(written: bytes, path: Path, signers: Path | None) -> list[Line]:
    """The signer of the certificate. Without a list of signers, nobody says whose signatures count."""
    beside = signature_path(path)
    if signers is None:
        reason = "it needs the list of those who may sign: --signers"
        return [Line("signature", None, None, None, reason)] if beside.is_file() else []
    try:
        signer = verify_signature(written, beside, signers)
    except BadSignature as error:
        return [Line("signature", None, None, False, str(error))]
    return [Line("signature", None, signer, True)]


def print_warnings(certificate: Certificate) -> None:
    """Say on stderr what is wrong although every line may hold."""
    for warning in warnings(certificate):
        print_warning(warning)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file."""
    if not path.is_file():
        raise WrongColumn(f"there is no file {str(path)!r}.")
    return path.read_bytes()


def load_certificate(path: Path) -> Certificate:
    """A certificate from a file."""
    return Certificate.from_json(read_bytes(path))


def as_record(line: Line) -> dict[str, object]:
    """A line for JSON."""
    record = {"line": line.what, "certified": line.certified, "measured": line.measured, "verdict": line.verdict}
    return {**record, "reason": line.reason} if line.reason else record


def print_lines(lines: Sequence[Line]) -> None:
    """Those that do not hold come first, those that are unproven last, with the reason."""
    broken, holding, open_lines = ([line for line in lines if line.holds is state] for state in (False, True, None))
    checked = [
        (line.what, write_cell(line.certified), write_cell(line.measured), line.verdict) for line in (*broken, *holding)
    ]
    print_table(("line", "certified", "measured", "verdict"), checked, folded=True)
    if explained := [(line.what, line.reason) for line in broken if line.reason]:
        print_table(("line", "reason"), explained, "Why not:", folded=True)
    if open_lines:
        reasons = [(line.what, write_cell(line.certified), line.reason) for line in open_lines]
        print_table(("line", "certified", "reason"), reasons, "Unproven:", folded=True)
    names = f": {', '.join(unproven(lines))}" if open_lines else ""
    counts = f"{len(holding):,} lines hold or agree, {len(broken):,} do not, {len(open_lines):,} are unproven"
    print_text(f"\n{counts}{printable(names)}.")


def write_cell(value: object) -> str:
    """A value as a table has it; of a hash, the first digits."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, str) and len(value) == HASH_LENGTH:
        return f"{value[:SHOWN_DIGITS]}…"
    return cell(value)
