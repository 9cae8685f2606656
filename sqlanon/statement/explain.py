"""The statement of a call, step by step: the SQL of each, or the rows of one, when the statement has come that far."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from sqlanon import functions
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments

from .planning import call_without_seed, import_function, read_struct, readable_call
from .template import query, text
from .writer import write_statement

RESULT = "result"
"""The name of the last step, the rows of the call itself."""


@dataclass(frozen=True)
class Explanation:
    """The checked arguments of the call to explain, and the step whose rows are wanted, or None for the SQL of all."""

    function: str
    call: Hashable
    step: str | None


def read_explanation(function: str, arguments: Mapping[str, object]) -> Explanation:
    """Check the arguments of sqlanon_explain, and of the call. A step that runs has the seed."""
    checked = read_arguments(function, arguments)
    explained, called = checked["function"], read_struct(checked["arguments"])
    read = call_without_seed if checked["step"] is None else readable_call
    return Explanation(explained, read(explained, called), checked["step"])


def explanation_statement(request: Explanation) -> exp.Query:
    """Build the statement that lists the steps, or runs up to one."""
    tree = import_function(functions.find(request.function).builder)(request.call)
    steps = steps_of(tree)
    if request.step is None:
        return list_steps(tree, steps)
    return run_up_to(request.step, tree, steps)


def steps_of(tree: exp.Query) -> exp.With | None:
    """The steps of a statement, wherever they stand in it."""
    outermost = [steps for steps in tree.find_all(exp.With) if steps.find_ancestor(exp.With) is None]
    if len(outermost) > 1:
        raise InvalidParameter("the call is several statements in one.", "Name one sensitive attribute.")
    return outermost[0] if outermost else None


def list_steps(tree: exp.Query, steps: exp.With | None) -> exp.Select:
    """A row for each step, with its SQL; the last one has the whole statement."""
    written = {cte.alias: write_statement(cte.this.copy()) for cte in steps.expressions} if steps else {}
    written[RESULT] = write_statement(tree)
    return query(
        "SELECT unnest(:names) AS step, unnest(:statements) AS sql",
        names=exp.array(*map(text, written)),
        statements=exp.array(*map(text, written.values())),
    )


def run_up_to(name: str, tree: exp.Query, steps: exp.With | None) -> exp.Query:
    """The rows of a step, and nothing that comes after it."""
    if name == RESULT:
        return tree
    names = [cte.alias for cte in steps.expressions] if steps else []
    if steps is None or name not in names:
        raise InvalidParameter.unknown("step", name, [*names, RESULT])
    steps.set("expressions", steps.expressions[: names.index(name) + 1])
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.to_table(name)), with_=steps)
