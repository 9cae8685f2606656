"""The declarations of functions, DuckDB's catalog and the documentation tell of the same functions."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from sqlanon.sql import read_macros

import sqlanon
from sqlanon.cli.arguments import Format, Nulls
from sqlanon.functions import FUNCTIONS, Function, complete_arguments, find, signature
from sqlanon.functions.declaration import REQUIRED
from sqlanon.functions.parameters import FORMATS, NULLS
from sqlanon.reference import described_functions

PAGE = (Path(__file__).parents[2] / "docs" / "functions.md").read_text(encoding="utf-8")
NAMES = [function.name for function in FUNCTIONS]


def test_no_macro_is_defined_twice() -> None:
    """The later one would take the place of the other, wherever that is called."""
    names = [*NAMES, *(macro.name for macro in read_macros())]
    assert [name for name in sorted(set(names)) if names.count(name) > 1] == []


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_a_function_names_a_reader_and_a_builder_that_are_there_or_is_sql_alone(function: Function) -> None:
    assert bool(function.body) != bool(function.reader and function.builder)
    for path in (function.reader, function.builder):
        module, _, name = path.partition(":")
        assert not path or inspect.isfunction(getattr(import_module(f"sqlanon.{module}"), name))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_a_parameter_has_a_sentence_of_help_and_a_default_that_its_type_accepts(function: Function) -> None:
    for parameter in function.parameters:
        assert re.fullmatch(r"[A-Z].*\.", parameter.help), parameter.name
        if parameter.default is not REQUIRED:
            parameter.read(parameter.default)


def test_duckdb_has_the_parameters_of_the_table() -> None:
    with sqlanon.connect() as con:
        catalog = con.execute(
            "SELECT function_name, parameters FROM duckdb_functions() WHERE database_name = '_sqlanon' "
            "ORDER BY len(parameters)"
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


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_signature_in_the_docs_has_parameters_and_defaults_of_the_declaration(name: str) -> None:
    """Where the page shows a signature in full, in backquotes, with a colon after it."""
    for shown in re.findall(rf"`{name}\(([^`]*)\)`:", PAGE):
        in_one_line = " ".join(shown.split())
        parameters = dict(part.partition(" := ")[::2] for part in re.split(r", (?![^\[]*\])", in_one_line))
        assert set(parameters) <= set(signature(name))
        for parameter, default in parameters.items():
            if default:
                assert f"{parameter} := {default}" in [one.written for one in find(name).parameters]


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_function_has_a_heading_of_its_own_a_link_in_the_contents_and_an_example(name: str) -> None:
    (section,) = re.findall(rf"^#{{2,4}} {name}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert re.search(rf"^`{name}\(", section, re.MULTILINE), "it begins with the signature"
    assert re.search(rf'```sql\n[^`]*\b{name}"?\(', section), "and it has an example"
    contents = PAGE[: PAGE.index("\n## ")]
    assert f"[{name}](#{name})" in contents


def test_the_contents_have_no_function_that_is_not_there() -> None:
    contents = PAGE[: PAGE.index("\n## ")]
    linked = re.findall(r"\[(\w+)\]\(#(\w+)\)", contents)
    assert {name for name, anchor in linked if name == anchor} == set(NAMES)


def test_the_command_line_offers_the_words_that_functions_take() -> None:
    assert tuple(each.value for each in Format) == FORMATS
    assert tuple(each.value for each in Nulls) == NULLS


def test_what_is_left_out_has_its_default() -> None:
    assert complete_arguments("kanonymous", {"tbl": "t"})["keep"] == []
    assert complete_arguments("risk", {})["threshold"] == 0.2
    with pytest.raises(sqlanon.errors.InvalidParameter, match=r"kanonymous takes no kk\. It takes: tbl, qi, k, algo"):
        complete_arguments("kanonymous", {"kk": 3})
