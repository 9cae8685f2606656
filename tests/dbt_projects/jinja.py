"""The macros of the dbt package without dbt: as Jinja renders them with the adapter of one engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import jinja2

from sqlanon.dbt_package import path

BACKTICKS = ("bigquery", "spark", "databricks")


class Refused(Exception):
    """A compilation error of dbt."""


class Package:
    """The macros of the package; `package.render("broken_k", …)` is what one writes."""

    def __init__(self, dialect: str = "duckdb") -> None:
        self.dialect = dialect
        environment = jinja2.Environment(
            extensions=["jinja2.ext.do"], undefined=jinja2.StrictUndefined, autoescape=False
        )
        macros = SimpleNamespace()
        environment.globals |= {
            "sqlanon": macros,
            "adapter": SimpleNamespace(dispatch=self.dispatch, quote=self.quote),
            "dbt": SimpleNamespace(
                type_bigint=self.bigint,
                type_string=self.text,
                string_literal=lambda value: f"'{value}'",
                escape_single_quotes=self.escape,
            ),
            "exceptions": SimpleNamespace(raise_compiler_error=refuse),
            "return": lambda value: value,
        }
        for file in sorted((path() / "macros").glob("*.sql")):
            # dbt's own tag for macros that are tests
            source = (
                file.read_text(encoding="utf-8").replace("{% test ", "{% macro test_").replace("endtest", "endmacro")
            )
            macros.__dict__.update(vars(environment.from_string(source).module))
        self.macros = macros

    def render(self, macro: str, *arguments: Any) -> str:
        return str(getattr(self.macros, macro)(*arguments)).strip()

    def dispatch(self, macro: str, package: str) -> Any:
        assert package == "sqlanon"
        return getattr(self.macros, f"{self.dialect}__{macro}", None) or getattr(self.macros, f"default__{macro}")

    def quote(self, name: str) -> str:
        mark = "`" if self.dialect in BACKTICKS else '"'
        return f"{mark}{name}{mark}"

    def bigint(self) -> str:
        return "INT64" if self.dialect == "bigquery" else "BIGINT"

    def text(self) -> str:
        return "STRING" if self.dialect in BACKTICKS else "TEXT"

    def escape(self, value: str) -> str:
        return value.replace("'", r"\'" if self.dialect in BACKTICKS else "''")

    def statement(
        self, bound: str, qi: Sequence[str], sa: str | None, numbers: Iterable[float], sample_limit: int | None
    ) -> str:
        """The statement of a bound's test on a table called release."""
        columns = [self.render("quoted", name) for name in qi]
        sensitive = [] if sa is None else [self.render("quoted", sa)]
        steps = self.render(f"broken_{bound}", self.quote("release"), columns, *sensitive, *numbers)
        return f"{steps}\n{self.render('violating_classes', bound, columns, sample_limit)}"


def refuse(message: str) -> None:
    raise Refused(message)


@cache
def package(dialect: str = "duckdb") -> Package:
    return Package(dialect)
