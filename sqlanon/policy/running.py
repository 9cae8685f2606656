"""Run a policy: the same for the command line, for Python and for CI."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..calling import coded_errors
from ..certificate import Certificate
from ..errors import InvalidParameter
from ..functions import signature
from ..next_steps import NextStep
from ..publishing.eligibility import advise_in
from ..publishing.engine import NO_SETTINGS, Settings, read_engine
from ..publishing.paths import Table, Target, file_of
from ..publishing.publication import Publication
from ..publishing.release import publish, rehearse
from ..publishing.session import open_session, quote
from ..publishing.summary import summarize
from .reading import Source, read_policy

SEED = "SQLANON_SEED"
"""The variable that has the seed."""


def write_keys(step: NextStep) -> str:
    """A next step as keys of a policy.

    >>> write_keys(NextStep("", {"algo": "incognito", "options": {"suppress": 0.04}}))
    'algo = "incognito" and options = { suppress = 0.04 } in [release]'
    """
    return " and ".join(f"{name} = {toml(value)}" for name, value in step.arguments.items()) + " in [release]"


def toml(value: object) -> str:
    """A number, a name, or the options of an algorithm."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {each}' for name, each in value.items())} }}"
    return f'"{value}"' if isinstance(value, str) else str(value)


@dataclass(frozen=True)
class Result:
    """The result of a policy. `release` and `paths` say where everything is; without `published`, nothing was written.

    `paths` has the certificate and the reports by their keys in [output]. `measures` are the numbers that
    `sqlanon release` prints.
    """

    published: bool
    release: str
    paths: Mapping[str, Path]
    certificate: Certificate
    measures: Mapping[str, object]


def run(policy: Source, *, check: bool = False, force: bool = False, engine: Settings = NO_SETTINGS) -> Result:
    """Publish what a policy says, if all that it demands holds; with `check`, only find out whether it would.

    `policy` is the path of a TOML file, or a dict with the same keys, whose paths are relative to the current folder.
    The seed of algorithms that draw is taken from the variable SQLANON_SEED, if it is set. Settings in `engine` come
    before those in [engine].
    """
    publication = with_seed(read_policy(policy))
    with (
        coded_errors(),
        open_session(publication.engine.override(read_engine(engine))) as session,
        advise_in(write_keys),
    ):
        outcome = rehearse(session, publication) if check else publish(session, publication, force)
    paths = {
        "certificate": publication.certificate,
        "report": publication.report,
        "public_report": publication.public_report,
    }
    return Result(
        published=not check,
        release=write_target(publication.target),
        paths={name: path for name, path in paths.items() if path is not None},
        certificate=outcome.certificate,
        measures=summarize(outcome, publication.named_arguments),
    )


def with_seed(publication: Publication) -> Publication:
    """The seed comes from outside, for functions that take one."""
    seed = os.environ.get(SEED)
    if not seed or "seed" not in signature(publication.function):
        return publication
    if not seed.isdecimal():
        raise InvalidParameter(f"the variable {SEED} must be a whole number.")
    return replace(publication, arguments={**publication.arguments, "seed": int(seed)})


def write_target(target: Target) -> str:
    """A target as policies have it, with its full path."""
    if not isinstance(target, Table):
        return str(file_of(target))
    return f"{target.database}:{quote(target.schema)}.{quote(target.table)}"
