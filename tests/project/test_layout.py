"""Who may import whom. Data flows one way; nothing imports upward."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for folder in ("sqlanon", "udfs", "sql")
    for path in (ROOT / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)

ROOMS = {
    # room, or a module of it: the rooms above it that it may import, and packages of others
    "version": "",
    "phases": "",
    "sql": "",
    "next_steps": "",
    "errors": "next_steps",
    "arguments": "errors",
    "approval": "errors arguments",
    "bounds": "next_steps errors arguments",
    "functions": "errors arguments bounds",
    "reference": "errors functions",
    "queries": "errors arguments sqlglot",
    "statement": "sql errors arguments functions sqlglot",
    "statement.user_query": "duckdb",  # checks what users write with DuckDB's own parser
    "taxonomies": "errors arguments functions statement sqlglot",
    "cells": "errors arguments statement taxonomies sqlglot",
    "verify": "sql next_steps errors arguments bounds functions statement taxonomies cells sqlglot",
    "release": "errors arguments bounds functions statement taxonomies cells verify sqlglot",
    "release.parameters": "errors arguments bounds",
    "release.models": "errors arguments bounds release.parameters",
    "release.algorithms": "errors arguments release.models",
    "search": "errors arguments functions statement release sqlglot",
    "evaluate": "errors arguments functions statement taxonomies cells sqlglot",
    "columns": "errors arguments functions statement sqlglot",
    "compare": "errors arguments functions statement taxonomies cells sqlglot",
    "randomize": "errors arguments functions statement taxonomies cells release sqlglot",
    "estimate": "errors arguments functions queries statement taxonomies cells verify randomize sqlglot",
    "udfs.kernels": "numpy numba",
    "udfs.kernels.runtime.cache": "version numba",  # where compiled kernels are kept depends on the version
    "udfs": "errors arguments phases bounds release.models release.algorithms udfs.kernels numpy pyarrow",
    # reads the conditions of users, which come at run time, and asks DuckDB which values satisfy them
    "udfs.measuring.predicates": "errors arguments queries udfs.kernels numpy duckdb sqlglot",
    "datasets": "errors functions statement udfs pyarrow numpy sqlglot",
    "connection": "sql errors statement udfs duckdb",
    "compiling": "errors release udfs udfs.kernels connection",
    # from here on, what runs statements
    "calling": "errors functions statement connection duckdb sqlglot",
    "certificate": "calling sql version errors arguments bounds functions statement taxonomies verify release columns "
    "connection duckdb sqlglot",
    "ml": "calling errors arguments evaluate duckdb numpy sklearn sqlglot",  # an extra
    "report": "calling version phases next_steps errors arguments bounds functions statement release search "
    "certificate approval duckdb jinja2 markupsafe vl_convert sqlglot",  # an extra
    "publishing": "calling approval phases next_steps errors arguments bounds functions statement release connection "
    "certificate report duckdb",
    "policy": "calling approval next_steps errors arguments bounds functions certificate publishing duckdb",
    "dbt_package": "bounds statement verify sqlglot",
    "dbt": "errors bounds statement connection certificate publishing duckdb dbt",  # an extra
    "cli": "calling version phases next_steps errors bounds functions reference compiling certificate report "
    "publishing policy udfs.kernels.runtime.cache udfs.kernels.runtime.signals duckdb typer rich",
    "__main__": "cli",
    "": "version errors certificate connection estimate policy verify",  # what `import sqlanon` offers
}
"""Top to bottom: nothing imports a room below it."""


def module_name(path: Path) -> str:
    """The name a file is imported by: udfs/ and sql/ are installed below sqlanon."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[0] != "sqlanon":
        parts.insert(0, "sqlanon")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES}


def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            inside = {f"{base}.{alias.name}" for alias in node.names} & set(MODULES)
            found |= inside or {base}
    return {name for name in found if name.split(".")[0] not in sys.stdlib_module_names}


def is_below(name: str, room: str) -> bool:
    """Whether a module is a room, or in it."""
    return name == room or name.startswith(f"{room}.")


def room_of(name: str) -> str:
    """The row of the table that a module of sqlanon stands in: the longest that fits."""
    inside = name.partition(".")[2]
    return max((room for room in ROOMS if is_below(inside, room)), key=len, default="")


def row_of(allowed: str) -> str:
    """The row of a room, or of a module in one; nothing for a package of others."""
    return room_of(f"sqlanon.{allowed}")


def is_allowed(name: str, other: str) -> bool:
    """Whether one module may import another."""
    allowed = ROOMS[room_of(name)].split()
    package, _, inside = other.partition(".")
    if package != "sqlanon":
        return package in allowed
    own = "udfs.kernels" if room_of(name).startswith("udfs.kernels") else room_of(name).split(".")[0]
    return is_below(inside, own) or any(is_below(inside, room) for room in allowed)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_it_may(name: str) -> None:
    forbidden = {other for other in imports(MODULES[name]) if not is_allowed(name, other)}
    assert not forbidden, f"{name} imports {sorted(forbidden)}"


def test_every_room_has_a_row_and_every_row_a_room() -> None:
    used = {room_of(name) for name in MODULES}
    assert used == set(ROOMS)


def test_nothing_imports_a_room_below_it() -> None:
    order = {room: number for number, room in enumerate(ROOMS)}
    for room, allowed in ROOMS.items():
        others = [order[name] for name in map(row_of, allowed.split()) if name]
        assert all(other <= order[room] for other in others), room


def test_kernels_know_neither_arrow_nor_sql_nor_duckdb() -> None:
    kernels = [name for name in MODULES if is_below(name, "sqlanon.udfs.kernels")]
    assert len(kernels) > 3
    for name in kernels:
        assert not {other.split(".")[0] for other in imports(MODULES[name])} & {"pyarrow", "duckdb", "sqlglot"}


def test_the_walk_sees_every_kind_of_import() -> None:
    assert "sqlglot" in imports(MODULES["sqlanon.release.statement"])
    assert "sqlanon.release.recode" in imports(MODULES["sqlanon.release.statement"])
    assert "sqlanon.statement.writer" in imports(MODULES["sqlanon.statement.planning"]), "inside a function, too"
    assert {"sqlanon.statement.macros", "sqlanon.udfs"} <= imports(MODULES["sqlanon.connection"])
    assert "numba" in imports(MODULES["sqlanon.udfs.kernels.runtime.jit"])


def macro_names() -> list[str]:
    """Every macro of sql/*.sql."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "sql").glob("*.sql"))]
    return re.findall(r"^CREATE MACRO\s+(\w+)\s*\(", "\n".join(texts), re.MULTILINE)


def test_every_statement_of_a_file_makes_a_macro() -> None:
    for path in sorted((ROOT / "sql").glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        assert text.count("CREATE ") == len(re.findall(r"^CREATE MACRO\s", text, re.MULTILINE)), path.name


def test_no_statement_zips_lists() -> None:
    """DuckDB before 1.5.3 reads freed memory in list_zip when lists come out of a join, and crashes now and then."""
    for path in [*(ROOT / "sql").rglob("*.sql"), *(ROOT / "sqlanon").rglob("*.py")]:
        assert not re.search(r"\b(list|array)_zip\(", path.read_text(encoding="utf-8")), path.name


def test_every_macro_file_is_loaded_and_has_only_names_of_ours() -> None:
    from sqlanon.sql import FILES

    assert set(FILES) == {path.name for path in (ROOT / "sql").glob("*.sql")}
    assert all(name.startswith("_sqlanon_") for name in macro_names())


def test_every_registered_kernel_exists() -> None:
    from sqlanon.release.algorithms import ALGORITHMS

    for algorithm in ALGORITHMS:
        module, _, function = algorithm.kernel.partition(":")
        tree = ast.parse(MODULES[f"sqlanon.udfs.kernels.{module}"].read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
