"""Twins and oracles, which judge sqlanon, do not stand on it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
JUDGES = sorted(path for folder in ("oracles", "twins") for path in (TESTS / folder).glob("*.py"))


@pytest.mark.parametrize("path", JUDGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_oracles_and_twins_import_the_standard_library_and_their_neighbours_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1 or (node.module or "").split(".")[0] in sys.stdlib_module_names


def test_there_is_one_conftest() -> None:
    assert list(TESTS.rglob("conftest.py")) == [TESTS / "conftest.py"]
