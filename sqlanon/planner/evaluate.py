"""Statements that compare a release with its source, which are matched by nothing but published values.

source       the columns of the source, under names of our own: qi_1 …, sa_1
released     the same columns of the release
classes      the distinct combinations of published quasi-identifiers, with their rows
cells_* …    what each published value covers: see cells
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sqlanon.request import Evaluation

from .cells import cell_steps
from .count_queries import count_query_error, secret_steps
from .divergence import cube_kl, kl_divergence
from .info_loss import attribute_loss, info_loss
from .source import plain_value, taxonomy_paths, wanted_columns
from .template import Columns, query, taxonomy_step, with_steps

ANSWERS: dict[str, Callable[[Evaluation, Columns], exp.Select]] = {
    "info_loss": info_loss,
    "attribute_loss": attribute_loss,
    "kl_divergence": kl_divergence,
    "cube_kl": cube_kl,
    "count_query_error": count_query_error,
}
"""What each function selects from the steps; it may add steps of its own."""

MATERIALIZED = ("source", "released", "classes", "domain_", "cells_", "taxonomy_")


def evaluation_statement(request: Evaluation) -> exp.Select:
    """Build the statement of an evaluation."""
    columns = own_names(request)
    return with_evaluation_steps(ANSWERS[request.function](request, columns), request, columns)


def own_names(request: Evaluation) -> Columns:
    """Give every column a name of our own."""
    return Columns.of(request.qi, () if request.sa is None else (request.sa,), taxonomy=request.taxonomy)


def with_evaluation_steps(statement: exp.Select, request: Evaluation, columns: Columns) -> exp.Select:
    """Put the steps before what is selected from them."""
    return with_steps(statement, evaluation_steps(request, columns), once=MATERIALIZED)


def evaluation_steps(request: Evaluation, columns: Columns) -> dict[str, exp.Select]:
    """The steps from two tables of a user to what each published value covers."""
    source = wanted_columns(request.src, request.function, columns.names, argument="src")
    plain = (exp.alias_(plain_value(own), own) for own in columns.names)
    steps = {
        **{taxonomy_step(own): taxonomy_paths(table, columns.names[own]) for own, table in columns.taxonomy.items()},
        "source": source.select(*plain, append=False),
        "released": released_rows(request, columns),
        "classes": exp.select(*columns.qi, "count(*) AS n").from_("released").group_by(*columns.qi),
    }
    for own in columns.qi:
        steps |= cell_steps(columns, own)
    if request.workload is not None:
        steps |= secret_steps(columns)
    return steps


def released_rows(request: Evaluation, columns: Columns) -> exp.Select:
    """The release. Of a column that neither table has, the source's error is told: it is read first."""
    some = exp.select(*columns.names).distinct().from_("source").limit(1)
    read = query("SELECT count(*) AS counted FROM :some", some=some.subquery("some"))
    return wanted_columns(request.rel, request.function, columns.names, argument="rel", once=read)
