"""Writes the tests of bounds for dbt, and the steps to the classes that break one, from the relations of sql/verify/.

    python -m sqlanon.dbt_package.generate

The relations are those of `sqlanon.verification_sql`, with Jinja in four places: the model, its columns (however many
quasi-identifiers there are), the bound, and the types, whose names differ. So dbt needs no Python of ours, and no
engine needs sqlanon.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlanon.bounds import BOUNDS, NAMES, Bound
from sqlanon.statement.engine import OtherEngine
from sqlanon.verify.request import Verification
from sqlanon.verify.statement import numbered_rows, relation, with_orders
from sqlanon.verify.words import WordsElsewhere

from . import path

MACROS = path() / "macros"

NUMBERS = {name: 987654321 + i for i, name in enumerate(NAMES)}
"""The number that stands for a bound until Jinja does."""

TYPES = {exp.DType.DOUBLE: "{{ sqlanon.double_type() }}", exp.DType.BIGINT: "{{ dbt.type_bigint() }}"}

CLASSES = """{#
    Written by sqlanon/dbt_package/generate.py from sql/verify/. Change these, then run it.

    broken_k, broken_l, …: the classes that break a bound, and by how much, as steps that a SELECT can follow:
    WITH … AS (…), broken AS (…). Columns come quoted.
#}
"""
MACRO = """
{{% macro broken_{name}({parameters}) %}}
{steps}
{{% endmacro %}}
"""
TESTS = """{#
    Written by sqlanon/dbt_package/generate.py from sqlanon/bounds/. Change these, then run it.

    Generic tests of bounds. They fail with the number of classes that break the bound.
#}
"""
TEST = """
{{% test {adjective}(model, {arguments}, sample_limit=none) %}}
    {{{{ config(fail_calc='COALESCE(MAX(violating_classes), 0)') }}}}
{checks}
    {{% set columns = sqlanon.checked_columns(model, quasi_identifiers{sensitive}) %}}
    {{{{ sqlanon.broken_{name}(model, {columns}) }}}}
    {{{{ sqlanon.violating_classes('{name}', columns{qi}, sample_limit) }}}}
{{% endtest %}}
"""


class Dbt(OtherEngine):
    """Any engine that dbt runs models on: Jinja says what dbt knows better."""

    def __init__(self) -> None:
        super().__init__("duckdb")

    def write(self, statement: exp.Expr) -> str:
        """The text of a statement, as steps of which it is the last, with Jinja."""
        steps: exp.With = statement.args["with_"].pop()
        steps.append("expressions", exp.CTE(this=statement, alias=exp.TableAlias(this=exp.to_identifier("broken"))))
        return super().write(steps.transform(self.jinja_for))

    def jinja_for(self, node: exp.Expr) -> exp.Expr:
        """Jinja instead of a node of the tree, or the node."""
        if isinstance(node, exp.Alias) and node.alias == "qi_1":
            return exp.Var(this="{{ sqlanon.quasi_identifiers(qi) }}")
        if isinstance(node, exp.Alias) and node.this.name == "sa":
            return exp.Var(this="{{ sa }} AS value")
        if isinstance(node, exp.Column) and node.name == "qi_1" and isinstance(node.parent, exp.Select):
            return exp.Var(this="{{ sqlanon.numbered_columns(qi) }}")
        if isinstance(node, exp.Ordered) and node.this.name == "qi_1":
            return exp.Var(this="{{ sqlanon.numbered_columns(qi) }}")
        if isinstance(node, exp.Table) and node.name == "model":
            return exp.Var(this="{{ model }}")
        if isinstance(node, exp.Literal) and not node.is_string and node.name in BY_NUMBER:
            return exp.Var(this=f"{{{{ {BY_NUMBER[node.name]} }}}}")
        if isinstance(node, exp.DataType) and node.this in TYPES:
            return exp.Var(this=TYPES[node.this])
        return node


DBT = Dbt()
BY_NUMBER = {str(number): name for name, number in NUMBERS.items()}


def file_texts() -> dict[str, str]:
    """The text of each file, by its name."""
    return {
        "broken_classes.sql": CLASSES + "".join(map(macro_text, BOUNDS)),
        "bound_tests.sql": TESTS + "".join(map(test_text, BOUNDS)),
    }


def macro_text(bound: Bound) -> str:
    """The macro with the steps to the classes that break a bound."""
    columns = ["qi", "sa"] if bound.is_sensitive else ["qi"]
    return MACRO.format(
        name=bound.name,
        parameters=", ".join(["model", *columns, *numbers_of(bound)]),
        steps=DBT.write(broken_classes(bound)),
    )


def test_text(bound: Bound) -> str:
    """The test of a bound, and of one that it needs."""
    columns = ["columns[:-1]", "columns[-1]"] if bound.is_sensitive else ["columns"]
    named = ["quasi_identifiers", "sensitive_column"] if bound.is_sensitive else ["quasi_identifiers"]
    return TEST.format(
        adjective=bound.adjective,
        name=bound.name,
        arguments=", ".join([*named, *numbers_of(bound)]),
        checks="\n".join(checks_of(bound)),
        sensitive=", sensitive_column" if bound.is_sensitive else "",
        columns=", ".join([*columns, *numbers_of(bound)]),
        qi="[:-1]" if bound.is_sensitive else "",
    )


def checks_of(bound: Bound) -> Iterator[str]:
    """The lines of a test that refuse numbers out of their range."""
    if bound.needs:
        yield check_text(bound.needs, bound.needs_from, whole=True)
    yield check_text(bound.name, bound.low, bound.high, whole=bound.is_whole)


def check_text(name: str, low: int, high: int | None = None, *, whole: bool) -> str:
    """A line that refuses a number."""
    limits = [str(low), *([] if high is None else [str(high)]), *(["whole=true"] if whole else [])]
    return f"    {{% do sqlanon.check_number('{name}', {name}, {', '.join(limits)}) %}}"


def numbers_of(bound: Bound) -> list[str]:
    """The names of a bound, and of the one that it needs."""
    return [*([bound.needs] if bound.needs else []), bound.name]


def broken_classes(bound: Bound) -> exp.Select:
    """The relation broken_k, … and all those that it names, of a table called model."""
    request = Verification(
        function="violations",
        tbl="model",
        qi=("qi",),
        sa="sa" if bound.is_sensitive else None,
        entity=None,
        nulls="value",
        bounds=tuple((name, NUMBERS[name]) for name in numbers_of(bound)),
        taxonomy=None,
    )
    words = WordsElsewhere(request, DBT)
    rows = {"records": numbered_rows(words)}
    return with_orders(relation(f"broken_{bound.name}", words, rows, also=["sizes"]), DBT)


if __name__ == "__main__":
    for name, text in file_texts().items():
        (MACROS / name).write_text(text, encoding="utf-8")
