"""Writes macros/broken_classes.sql: what breaks a bound, from the relations of sql/verify/, as Jinja that dbt fills in.

    python -m sqlanon.dbt_package.generate

The relations are those of `sqlanon.verification_sql`, with Jinja in four places: the model, its columns (however many
quasi-identifiers there are), the bound, and the types, whose names differ. So dbt needs no Python of ours, and no
engine needs sqlanon.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.verify.request import Verification
from sqlanon.verify.statement import portable_rows, relation, with_orders

from . import path

FILE = path() / "macros" / "broken_classes.sql"

SENSITIVE = {"k": False, "l": True, "t": True}
"""The bounds that have a test, and whether they are about a sensitive attribute."""

BOUND = 987654321
"""Stands for the bound until Jinja does."""

TYPES = {exp.DType.DOUBLE: "{{ sqlanon.double_type() }}", exp.DType.BIGINT: "{{ dbt.type_bigint() }}"}

HEAD = """{#
    Written by sqlanon/dbt_package/generate.py from sql/verify/. Change these, then run it.

    broken_k, broken_l, broken_t: the classes that break a bound, and by how much, as steps that a SELECT can follow:
    WITH … AS (…), broken AS (…). Columns come quoted.
#}
"""
MACRO = """
{{% macro broken_{bound}({parameters}) %}}
{steps}
{{% endmacro %}}
"""


def file_text() -> str:
    """The whole file."""
    return HEAD + "".join(
        MACRO.format(
            bound=bound,
            parameters=", ".join(["model", "qi", *(["sa"] if sensitive else []), bound]),
            steps=with_jinja(broken_classes(bound, sensitive), bound),
        )
        for bound, sensitive in SENSITIVE.items()
    )


def broken_classes(bound: str, sensitive: bool, qi: tuple[str, ...] = ("qi",), value: float = BOUND) -> exp.Select:
    """The relation broken_k, … and all those that it names, of a table called model."""
    request = Verification(
        function="violations",
        tbl="model",
        qi=qi,
        sa="sa" if sensitive else None,
        entity=None,
        nulls="value",
        bounds=((bound, value),),
        taxonomy=None,
    )
    rows = {"given": portable_rows(request)}
    return with_orders(relation(f"broken_{bound}", request, rows, here=False, ordered=False), request, "duckdb")


def with_jinja(statement: exp.Select, bound: str) -> str:
    """The text of a statement, as steps of which it is the last, with Jinja where dbt knows better."""
    steps: exp.With = statement.args["with_"].pop()
    steps.append("expressions", exp.CTE(this=statement, alias=exp.TableAlias(this=exp.to_identifier("broken"))))
    return steps.transform(lambda node: jinja_for(node, bound)).sql(dialect="duckdb", pretty=True)


def jinja_for(node: exp.Expr, bound: str) -> exp.Expr:
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
    if isinstance(node, exp.Literal) and not node.is_string and node.name == str(BOUND):
        return exp.Var(this=f"{{{{ {bound} }}}}")
    if isinstance(node, exp.DataType) and node.this in TYPES:
        return exp.Var(this=TYPES[node.this])
    return node


if __name__ == "__main__":
    FILE.write_text(file_text(), encoding="utf-8")
