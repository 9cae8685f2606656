"""Statements that compare a release with its source, which are matched by nothing but published values.

source       the columns of the source, under names of our own: qi_1 …, sa_1
released     the same columns of the release
classes      the distinct combinations of published quasi-identifiers, with their rows
cells_* …    what each published value covers: see cells
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from sqlanon.cells.coverage import cell_steps
from sqlanon.statement.source import plain_value, wanted_columns
from sqlanon.statement.template import Columns, Once, Step, query_of, with_steps
from sqlanon.taxonomies.taxonomy import taxonomy_steps

from .count_queries import count_query_error
from .divergence import cube_kl, kl_divergence
from .info_loss import attribute_loss, info_loss
from .request import Evaluation

ANSWERS: dict[str, Callable[[Evaluation, Columns], exp.Select]] = {
    "info_loss": info_loss,
    "attribute_loss": attribute_loss,
    "kl_divergence": kl_divergence,
    "cube_kl": cube_kl,
    "count_query_error": count_query_error,
}
"""The builder of each function: it selects from the steps, and may add some."""


def evaluation_statement(request: Evaluation) -> exp.Select:
    """Build the statement of an evaluation."""
    columns = named_columns(request)
    return with_evaluation_steps(ANSWERS[request.function](request, columns), request, columns)


def named_columns(request: Evaluation, keep: Sequence[str] = ()) -> Columns:
    """Give every column a name of our own."""
    return Columns.of(request.qi, () if request.sa is None else (request.sa,), keep, request.taxonomy)


def with_evaluation_steps(statement: exp.Select, request: Evaluation, columns: Columns) -> exp.Select:
    """Put the steps before what is selected from them: those that it needs."""
    return with_steps(statement, steps_read_by(statement, evaluation_steps(request, columns)))


def steps_read_by(statement: exp.Select, steps: Mapping[str, Step]) -> dict[str, Step]:
    """The steps that a statement reads, and those that these read. The others would have to be planned as well."""
    used: set[str] = set()
    reading: list[exp.Query] = [statement]
    while reading:
        read = {table.name for table in reading.pop().find_all(exp.Table) if table.name in steps} - used
        used |= read
        reading += (query_of(steps[name]) for name in read)
    return {name: step for name, step in steps.items() if name in used}


def evaluation_steps(request: Evaluation, columns: Columns) -> dict[str, Step]:
    """The steps from two tables of a user to what each published value covers."""
    source = wanted_columns(request.src, request.function, columns.names, argument="src")
    plain = (exp.alias_(plain_value(key), key) for key in columns.names)
    steps: dict[str, Step] = {
        **taxonomy_steps(columns),
        "source": Once(source.select(*plain, append=False)),
        "released": Once(wanted_columns(request.rel, request.function, columns.names, argument="rel")),
        "classes": Once(exp.select(*columns.qi, "count(*) AS n").from_("released").group_by(*columns.qi)),
    }
    return steps | cell_steps(columns)
