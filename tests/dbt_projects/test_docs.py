"""The examples of docs/dbt.md are those of the project, which runs."""

from __future__ import annotations

import re
from pathlib import Path

from sqlanon.bounds import BOUNDS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "release_project"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "docs" / "dbt.md").read_text(encoding="utf-8"), re.M | re.S)


def test_every_block_is_part_of_a_file_of_the_example() -> None:
    files = [
        path.read_text(encoding="utf-8")
        for path in EXAMPLE.rglob("*")
        if path.is_file() and path.suffix in (".sql", ".yml", ".md")
    ]
    assert {language for language, _ in BLOCKS} == {"sh", "yaml", "jinja"}
    assert [block for _, block in BLOCKS if not any(block in text for text in files)] == []


def test_every_test_of_the_package_is_documented() -> None:
    page = (ROOT / "docs" / "dbt.md").read_text(encoding="utf-8")
    macros = ROOT / "sqlanon" / "dbt_package" / "macros"
    tests = re.findall(
        r"{% test (\w+)\(model, (.*?)\) %}", "".join(path.read_text("utf-8") for path in macros.iterdir())
    )
    assert {name for name, _ in tests} == {"no_identifiers", *(bound.adjective for bound in BOUNDS)}
    for name, arguments in tests:
        assert f"`sqlanon.{name}`" in page
        for argument in re.findall(r"\w+(?==|,|$)", re.sub(r"=\S+?(?=,|$)", "", arguments)):
            assert re.search(rf"`{argument}\b", page), argument
