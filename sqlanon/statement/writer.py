"""How a statement for DuckDB is written, so that nothing in a user's database can change what it means.

A database may have macros named like functions of the engine (`error`, `min`), or like what the engine makes of
operators, lists and structs (`+`, `list_value`): they would be called instead. So each is written with the catalog that
it lives in, `system.main.min(…)`, and our own macros with theirs. Steps get a prefix that no table of a user may have.
What a user wrote is left as it is.

>>> from sqlglot import parse_one
>>> print(write_statement(parse_one("WITH t AS (SELECT 1 AS a) SELECT max(a + 1) FROM t", dialect="duckdb")))
WITH _sqlanon_t AS (
  SELECT
    1 AS a
)
SELECT
  system.main.MAX(system.main."+"(a, 1))
FROM _sqlanon_t AS t
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.generators.duckdb import DuckDBGenerator

from sqlanon.errors import RAISING
from sqlanon.sql import CATALOG, macro_names

RESERVED = "_sqlanon_"
"""How names of our steps begin."""

SYNTAX = frozenset({"cast", "try_cast", "coalesce", "columns", "unnest", "exists", "grouping", "try"})
"""Words that look like a function call, but are looked up in no catalog."""

OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.DPipe: "||",
    exp.Like: "~~",
    exp.Neg: "-",
}
"""Operators that the engine looks up as functions of these names. Comparisons, AND, OR, NOT, IN and IS are not."""


class UserQuery(exp.Expression):
    """The text of a user's query, which user_query has checked."""

    arg_types = {"this": True}  # noqa: RUF012  as sqlglot declares it


def full_name(name: str) -> str:
    """A function with the catalog it lives in: the engine's and our Arrow functions in `system`, our macros in ours."""
    if name.lower() in SYNTAX:
        return name
    return f"{CATALOG}.main.{name}" if name in macro_names() else f"system.main.{name}"


def returns_problems(name: str) -> bool:
    """Whether a function is one of our Arrow functions that return what is wrong instead of raising it."""
    return name.startswith(RESERVED) and name not in macro_names() and name not in RAISING


class Writer(DuckDBGenerator):
    """Writes functions with their catalogs, steps with their prefix, and users' queries as they are."""

    TRANSFORMS = {  # noqa: RUF012
        **DuckDBGenerator.TRANSFORMS,
        **{kind: lambda self, node: self.operator(node) for kind in OPERATORS},
        exp.Array: lambda self, node: self.func("list_value", *node.expressions),
        exp.Struct: lambda self, node: self.struct_pack(node),
        exp.Bracket: lambda self, node: self.element(node),
        exp.StructExtract: lambda self, node: self.func("struct_extract", node.this, node.expression),
        UserQuery: lambda self, node: node.this.replace("\n", self.SENTINEL_LINE_BREAK) + self.SENTINEL_LINE_BREAK,
    }

    def func(self, name: str, *args: Any, prefix: str = "(", suffix: str = ")", normalize: bool = True) -> str:
        called = f"{full_name(name)}{prefix}{self.format_args(*args)}{suffix}"
        return f"{full_name('_sqlanon_answer')}({called})" if returns_problems(name) else called

    def operator(self, node: exp.Expr) -> str:
        """An operator as the function it is; a negative number is no operator."""
        if isinstance(node, exp.Neg):
            number = isinstance(node.this, exp.Literal) and not node.this.is_string
            return f"-{self.sql(node, 'this')}" if number else self.func('"-"', node.this)
        return self.func(f'"{OPERATORS[type(node)]}"', node.this, node.args["expression"])

    def struct_pack(self, node: exp.Struct) -> str:
        fields = (
            f"{self.sql(exp.to_identifier(field.this.name, quoted=True))} := {self.sql(field, 'expression')}"
            for field in node.expressions
        )
        return f"{full_name('struct_pack')}({', '.join(fields)})"

    def element(self, node: exp.Bracket) -> str:
        """An element of a list by its position, which counts from 1, or the elements between two positions."""
        (position,) = self.bracket_offset_expressions(node)
        if isinstance(position, exp.Slice):
            return self.func("array_slice", node.this, position.this, position.expression)
        return self.func("array_extract", node.this, position)

    def cte_sql(self, expression: exp.CTE) -> str:
        """A step under its prefixed name."""
        written: str = super().cte_sql(expression)
        return RESERVED + written

    def table_sql(self, expression: exp.Table, sep: str = " AS ") -> str:
        """A step is read by its prefixed name, but keeps its short one for columns. Only users' names are quoted."""
        name = expression.this
        if isinstance(name, exp.Identifier) and not name.quoted and not expression.args.get("db"):
            alias = expression.alias or name.name
            return f"{RESERVED}{name.name} AS {alias}"
        written: str = super().table_sql(expression, sep)
        return written


class SafeDuckDB(DuckDB):
    """DuckDB's SQL with nothing left to what users may have defined or set."""

    NULL_ORDERING = "nulls_are_small"  # so that every NULLS LAST is written out

    Generator = Writer


def refuse_compiled_sqlglot() -> None:
    """Refuse the compiled build of sqlglot, whose classes nobody can extend."""
    try:
        SafeDuckDB().generator()
    except TypeError:
        raise ImportError(
            "sqlanon extends sqlglot, which its compiled build (sqlglot[c]) does not allow. Uninstall sqlglotc; "
            "sqlglot itself stays."
        ) from None


def write_statement(statement: exp.Expr) -> str:
    """The statement as text for DuckDB."""
    return statement.sql(dialect=SafeDuckDB, pretty=True, normalize_functions=False, copy=False)
