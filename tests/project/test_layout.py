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

# What a file may import beside the standard library. A name ending in .* stands for everything below it.
ALLOWED: list[tuple[str, set[str]]] = [
    ("sqlanon.next_steps", set()),
    ("sqlanon.errors", {"sqlanon.next_steps"}),
    ("sqlanon.version", set()),
    ("sqlanon.phases", set()),
    ("sqlanon.algorithms", {"sqlanon.errors", "sqlanon.arguments", "sqlanon.models"}),
    ("sqlanon.arguments", {"sqlanon.errors"}),
    ("sqlanon.bounds.*", {"sqlanon.errors", "sqlanon.arguments", "sqlanon.bounds.*"}),
    ("sqlanon.models", {"sqlanon.errors", "sqlanon.arguments", "sqlanon.bounds"}),
    ("sqlanon.functions.*", {"sqlanon.errors", "sqlanon.arguments", "sqlanon.bounds", "sqlanon.functions.*"}),
    ("sqlanon.reference", {"sqlanon.errors", "sqlanon.functions"}),
    (
        "sqlanon.request.*",
        {
            "sqlanon.errors",
            "sqlanon.algorithms",
            "sqlanon.bounds",
            "sqlanon.models",
            "sqlanon.arguments",
            "sqlanon.functions.*",
            "sqlanon.request.*",
        },
    ),
    ("sqlanon.queries.*", {"sqlanon.errors", "sqlanon.arguments", "sqlanon.queries.*", "sqlglot.*"}),
    # checks what users write with DuckDB's own parser
    ("sqlanon.planner.user_query", {"duckdb"}),
    (
        "sqlanon.planner.*",
        {
            "sqlanon",
            "sqlanon.functions.*",
            "sqlanon.algorithms",
            "sqlanon.bounds",
            "sqlanon.models",
            "sqlanon.datasets",
            "sqlanon.errors",
            "sqlanon.next_steps",
            "sqlanon.arguments",
            "sqlanon.queries.*",
            "sqlanon.request.*",
            "sqlanon.sql",
            "sqlanon.version",  # a certificate says which one made it
            "sqlanon.planner.*",
            "sqlglot.*",
        },
    ),
    # where compiled kernels are kept depends on the version
    ("sqlanon.udfs.kernels.cache", {"numba.*", "sqlanon.version"}),
    ("sqlanon.udfs.kernels.*", {"numpy.*", "numba.*", "sqlanon.udfs.kernels.*"}),
    # reads the conditions of users, which come at run time
    (
        "sqlanon.udfs.measuring.predicates",
        {"sqlanon.errors", "sqlanon.arguments", "sqlanon.queries.*", "sqlanon.udfs.*", "numpy.*", "sqlglot.*"},
    ),
    (
        "sqlanon.udfs.*",
        {
            "sqlanon.arguments",
            "sqlanon.errors",
            "sqlanon.algorithms",
            "sqlanon.bounds",
            "sqlanon.models",
            "sqlanon.phases",
            "sqlanon.udfs.*",
            "sqlanon.udfs.kernels.*",
            "numpy.*",
            "pyarrow.*",
        },
    ),
    ("sqlanon.sql", set()),
    (
        "sqlanon.datasets.*",
        {"sqlanon.udfs.census", "sqlanon.udfs.wide_census", "sqlanon.errors", "pyarrow.*", "numpy.*"},
    ),
    (
        "sqlanon.connection",
        {"sqlanon.planner.*", "sqlanon.sql", "sqlanon.udfs.*", "sqlanon.datasets.*", "sqlanon.errors", "duckdb"},
    ),
    (
        "sqlanon",
        {
            "sqlanon.certificate",
            "sqlanon.errors",
            "sqlanon.connection",
            "sqlanon.policy",
            "sqlanon.rewriting",
            "sqlanon.verification",
            "sqlanon.version",
        },
    ),
    ("sqlanon.ml.*", {"sqlanon.*", "duckdb", "numpy.*", "sklearn.*", "sqlglot.*"}),  # an extra
    ("sqlanon.report.*", {"sqlanon.*", "duckdb", "jinja2", "markupsafe", "vl_convert", "sqlglot.*"}),  # an extra
    ("sqlanon.cli.*", {"sqlanon", "sqlanon.*", "duckdb", "typer.*", "rich.*"}),
    ("sqlanon.policy.*", {"sqlanon.*", "duckdb"}),
    # what the command line and policies share: it prints nothing
    (
        "sqlanon.publishing.*",
        {
            "sqlanon.bounds",
            "sqlanon.certificate.*",
            "sqlanon.connection",
            "sqlanon.arguments",
            "sqlanon.errors",
            "sqlanon.functions.*",
            "sqlanon.phases",
            "sqlanon.planner.release",  # the statement of a release with its people, which no SQL function has
            "sqlanon.planner.template",
            "sqlanon.planner.writer",
            "sqlanon.publishing.*",
            "sqlanon.report.*",
            "sqlanon.request.*",
            "duckdb",
        },
    ),
    ("sqlanon.certificate.*", {"sqlanon.*", "duckdb", "sqlglot.*"}),
    (  # an extra; it publishes files
        "sqlanon.dbt",
        {
            "sqlanon.bounds",
            "sqlanon.connection",
            "sqlanon.certificate",
            "sqlanon.errors",
            "sqlanon.planner.macros",
            "sqlanon.publishing.*",
            "duckdb",
            "dbt.*",
        },
    ),
    # writes what the dbt package has instead of Python
    ("sqlanon.dbt_package.generate", {"sqlanon.dbt_package", "sqlanon.planner.*", "sqlanon.request.*", "sqlglot.*"}),
    ("sqlanon.dbt_package.*", {"sqlanon.dbt_package"}),
    # the other front doors stand on connection, and nothing stands on them
    ("sqlanon.*", {"sqlanon", "sqlanon.*", "duckdb", "pyarrow.*", "numpy.*"}),
]
INNER = (
    "sqlanon.bounds",
    "sqlanon.errors",
    "sqlanon.next_steps",
    "sqlanon.phases",
    "sqlanon.algorithms",
    "sqlanon.models",
    "sqlanon.arguments",
    "sqlanon.functions",
    "sqlanon.queries",
    "sqlanon.request",
    "sqlanon.planner",
    "sqlanon.udfs",
    "sqlanon.sql",
)


def module_name(path: Path) -> str:
    """The name a file is imported by: udfs/ and sql/ are installed below sqlanon."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[0] != "sqlanon":
        parts.insert(0, "sqlanon")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES}


def imported(path: Path) -> set[str]:
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


def matches(name: str, pattern: str) -> bool:
    if pattern.endswith(".*"):
        return name == pattern[:-2] or name.startswith(pattern[:-1])
    return name == pattern


def allowed_for(name: str) -> set[str]:
    return next(allowed for pattern, allowed in ALLOWED if matches(name, pattern))


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_it_may(name: str) -> None:
    allowed = allowed_for(name)
    forbidden = {other for other in imported(MODULES[name]) if not any(matches(other, entry) for entry in allowed)}
    assert not forbidden, f"{name} imports {sorted(forbidden)}"


def test_nothing_inside_imports_a_front_door() -> None:
    doors = set(MODULES) - {name for name in MODULES if any(matches(name, f"{inner}.*") for inner in INNER)}
    doors -= {"sqlanon.version"} | {name for name in MODULES if matches(name, "sqlanon.datasets.*")}
    for name, path in MODULES.items():
        if any(matches(name, f"{inner}.*") for inner in INNER):
            assert not imported(path) & doors, f"{name} imports upward"


def test_kernels_know_neither_arrow_nor_sql_nor_duckdb() -> None:
    kernels = [name for name in MODULES if matches(name, "sqlanon.udfs.kernels.*")]
    assert len(kernels) > 3
    for name in kernels:
        assert not {other.split(".")[0] for other in imported(MODULES[name])} & {"pyarrow", "duckdb", "sqlglot"}


def test_the_walk_sees_every_kind_of_import() -> None:
    assert "sqlglot" in imported(MODULES["sqlanon.planner.release"])
    assert "sqlanon.planner.recode" in imported(MODULES["sqlanon.planner.release"])
    assert "sqlanon.planner.writer" in imported(MODULES["sqlanon.planner"]), "inside a function, too"
    assert {"sqlanon.planner.macros", "sqlanon.udfs"} <= imported(MODULES["sqlanon.connection"])
    assert "numba" in imported(MODULES["sqlanon.udfs.kernels.jit"])


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
    from sqlanon.algorithms import ALGORITHMS

    for algorithm in ALGORITHMS:
        module, _, function = algorithm.kernel.partition(":")
        tree = ast.parse(MODULES[f"sqlanon.udfs.kernels.{module}"].read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
