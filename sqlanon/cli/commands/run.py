"""sqlanon run: publish what a policy says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from ... import policy as policies
from ...publishing.engine import AUTOMATIC, Engine
from ..arguments import Json
from ..certificates import print_warnings
from ..narration import show_progress
from ..output import output, print_json, print_pairs, printable, short_path


def run(
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="A policy, such as sqlanon init writes.")],
    check: Annotated[bool, typer.Option("--check", help="Do everything but publish: for pull requests.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Publish what a policy says, if all bounds hold.

    It writes the release, its certificate, and reports. A column of the source that has no role in the policy is an
    error. A seed is taken from SQLANON_SEED.
    """
    began = time.perf_counter()
    with show_progress():
        result = policies.run(policy, check=check, force=force, engine=engine.settings)
    measures = {**result.measures, "seconds": time.perf_counter() - began}
    others = {name: short_path(path) for name, path in result.paths.items()}
    paths = {"release": short_path(Path(result.release)), **others}
    print_warnings(result.certificate)
    if json:
        print_json({**measures, "published": result.published, **paths})
        return
    print_pairs(measures)
    if check:
        output().print("\nEvery bound holds. Nothing was published.")
        return
    output().print()
    for name, path in paths.items():
        output().print(f"{name.replace('_', ' ')}: {printable(path)}", soft_wrap=True)
