"""The table of functions, the macros, DuckDB's catalog and the documentation tell of the same functions."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from sqlanon.sql import read_macros

import sqlanon
from sqlanon.functions import FUNCTIONS, complete_arguments, signature
from sqlanon.reference import described_functions

PAGE = (Path(__file__).parents[2] / "docs" / "functions.md").read_text(encoding="utf-8")
PUBLIC = {macro.name: macro.variants[0] for macro in read_macros() if macro.is_public}
UNPLANNED = {"census", "wide_census", "sqlanon_explain"}
"""Macros of SQL alone, and one that plans other functions."""


def test_every_public_macro_has_one_row_and_every_row_a_macro() -> None:
    names = [function.name for function in FUNCTIONS]
    assert len(set(names)) == len(names)
    assert set(names) | UNPLANNED == set(PUBLIC)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_every_row_names_functions_that_are_there(function: sqlanon.functions.Function) -> None:
    for package, place in (("request", function.reader), ("planner", function.builder)):
        module, _, name = place.partition(":")
        assert inspect.isfunction(getattr(import_module(f"sqlanon.{package}.{module}"), name))


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - UNPLANNED))
def test_a_macro_hands_over_each_of_its_parameters_under_its_name(name: str) -> None:
    handed = re.search(rf"_sqlanon_plan\(\s*'{name}',\s*\{{(.*?)\}}\s*\)", PUBLIC[name].body, re.DOTALL)
    assert handed is not None
    pairs = re.findall(r"'(\w+)':\s*(?:CAST\()?(\"?\w+\"?)", handed[1])
    assert {key: value.strip('"') for key, value in pairs} == {key: key for key in signature(name)}


def test_duckdb_has_the_parameters_of_the_table() -> None:
    with sqlanon.connect() as con:
        catalog = con.execute(
            "SELECT function_name, parameters FROM duckdb_functions() WHERE database_name = '_sqlanon'"
        ).fetchall()
    known = {name: [parameter.strip('"') for parameter in parameters] for name, parameters in catalog}
    for function in FUNCTIONS:
        assert known[function.name] == list(signature(function.name))


def test_duckdb_has_the_words_of_the_reference() -> None:
    with sqlanon.connect() as con:
        comments = con.execute(
            "SELECT function_name, comment FROM duckdb_functions() "
            "WHERE database_name = '_sqlanon' AND NOT starts_with(function_name, '_')"
        ).fetchall()
    assert dict(comments) == {function.name: function.text for function in described_functions()}
    assert all(function.text for function in described_functions())


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_signature_in_the_docs_has_parameters_and_defaults_of_the_macro(name: str) -> None:
    """Where the page shows a signature in full, in backquotes, with a colon after it."""
    for shown in re.findall(rf"`{name}\(([^`]*)\)`:", PAGE):
        in_one_line = " ".join(shown.split())
        parameters = dict(part.partition(" := ")[::2] for part in re.split(r", (?![^\[]*\])", in_one_line))
        assert set(parameters) <= set(signature(name))
        for parameter, default in parameters.items():
            if default:
                written = dict(PUBLIC[name].parameters)
                assert written.get(parameter, written.get(f'"{parameter}"')) == f":= {default}"


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_function_has_a_heading_of_its_own_a_link_in_the_contents_and_an_example(name: str) -> None:
    (section,) = re.findall(rf"^#{{2,4}} {name}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert re.search(rf"^`{name}\(", section, re.MULTILINE), "it begins with the signature"
    assert re.search(rf'```sql\n[^`]*\b{name}"?\(', section), "and it has an example"
    contents = PAGE[: PAGE.index("\n## ")]
    assert f"[{name}](#{name})" in contents


def test_the_contents_have_no_function_that_is_not_there() -> None:
    contents = PAGE[: PAGE.index("\n## ")]
    linked = re.findall(r"\[(\w+)\]\(#(\w+)\)", contents)
    assert {name for name, anchor in linked if name == anchor} == set(PUBLIC)


def test_what_is_left_out_has_the_default_of_the_macro() -> None:
    assert complete_arguments("kanonymous", {"tbl": "t"})["keep"] == []
    assert complete_arguments("risk", {})["threshold"] == 0.2
    with pytest.raises(sqlanon.errors.InvalidParameter, match="argument: 'kk' is not known"):
        complete_arguments("kanonymous", {"kk": 3})
