"""A policy for the table of people, and how it is run without the time that a connection takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

from cli.running import copy, reused

import sqlanon
from sqlanon.policy import Result

POLICY = """
source = "people.parquet"

[columns]
person = "identifier"
age = "quasi-identifier"
zip = "quasi-identifier"
disease = "sensitive"
note = "identifier"

[release]
l = 3
people = "rows"

[output]
release = "release.parquet"
certificate = "certificate.json"
"""
FILES = ["certificate.json", "people.parquet", "policy.toml", "release.parquet"]


def make(folder: Path, policy: str = POLICY) -> Path:
    """A folder with the table and a policy; returns the path of the policy."""
    copy(folder / "people.parquet")
    path = folder / "policy.toml"
    path.write_text(policy, encoding="utf-8")
    return path


def edit_policy(*changes: tuple[str, str]) -> str:
    """The policy with lines replaced."""
    text = POLICY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def run(policy: Any, **arguments: Any) -> Result:
    """Run a policy in Python."""
    with patch("sqlanon.publishing.session.connect", lambda _, config: reused()):
        return sqlanon.run(policy, **arguments)


def names(folder: Path) -> list[str]:
    """The names in a folder."""
    return sorted(path.name for path in folder.iterdir())
