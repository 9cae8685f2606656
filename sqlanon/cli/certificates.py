"""A release is compared with its certificate, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from ..certificate import Certificate, Line, all_hold, check
from ..errors import WrongColumn
from ..publishing.places import read_place
from .arguments import read_taxonomies
from .failures import BROKEN
from .output import cell, output, print_json, print_table
from .session import opened

VERDICTS = {True: "holds", False: "does not hold", None: "not checked"}
HASH_LENGTH, SHOWN_DIGITS = 64, 12


def verify_certificate(release: str, path: Path, taxonomies: Sequence[str] | None, json: bool) -> None:
    """Say of each line whether it holds; exit with 1 if one does not."""
    certificate = read_certificate(path)
    with opened() as session:
        rel = session.open_release(read_place("FILE", release), "release")
        lines = check(session.con, rel, certificate, read_taxonomies(session, taxonomies))
    if json:
        print_json({"holds": all_hold(lines), "lines": [as_record(line) for line in lines]})
    else:
        print_lines(lines)
    if not all_hold(lines):
        raise typer.Exit(BROKEN)


def read_certificate(path: Path) -> Certificate:
    """A certificate from a file."""
    if not path.is_file():
        raise WrongColumn(f"there is no file {str(path)!r}.")
    return Certificate.from_json(path.read_bytes())


def as_record(line: Line) -> dict[str, object]:
    """A line for JSON."""
    verdict = VERDICTS[line.holds]
    record = {"line": line.what, "certified": line.certified, "measured": line.measured, "verdict": verdict}
    return {**record, "reason": line.reason} if line.reason else record


def print_lines(lines: Sequence[Line]) -> None:
    """Those that do not hold come first, those that were not checked last, with the reason."""
    broken, holding, unchecked = ([line for line in lines if line.holds is state] for state in (False, True, None))
    checked = [
        (line.what, shown(line.certified), shown(line.measured), VERDICTS[line.holds]) for line in (*broken, *holding)
    ]
    print_table(("line", "certified", "measured", "verdict"), checked, folded=True)
    if unchecked:
        reasons = [(line.what, shown(line.certified), line.reason) for line in unchecked]
        print_table(("line", "certified", "reason"), reasons, "Not checked:", folded=True)
    output().print(f"\n{len(holding):,} lines hold, {len(broken):,} do not, {len(unchecked):,} were not checked.")


def shown(value: object) -> str:
    """A value as a table has it; of a hash, the first digits."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, str) and len(value) == HASH_LENGTH:
        return f"{value[:SHOWN_DIGITS]}…"
    return cell(value)
