"""The statements behind best_k, best_l, frontier and loss_bound: releases of one table, measured and not published.

The whole table goes through a function as one row, as in a release. frontier calls it once per setting:

    microdata  one row: the table in codes, and what they mean
    tried_i    one row: what the first i settings measured, a list, from it and the step before

So DuckDB runs settings one by one: none competes with another while it is timed, and an interrupt is heeded
between two. A recursive step would be shorter, but on Ctrl-C DuckDB 2.0 goes through with it.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.release.statement import named_columns, packing_steps, setting_fields
from sqlanon.statement.template import Once, Step, query, struct, with_steps

from .request import Frontier, LossBound, Strongest

MEASURES = ("gcp", "avg_class_size", "kl", "median_error", "seconds")
"""The measures of each setting, in the order of _sqlanon_frontier."""


def strongest_statement(request: Strongest) -> exp.Select:
    """Build the statement of best_k and best_l. One row: the largest k or l within the budget, and what it loses."""
    setting = request.setting
    answer = query(
        "SELECT unnest(_sqlanon_strongest(:setting, packed.rows, described.columns)) FROM packed CROSS JOIN described",
        setting=struct([*setting_fields(setting), ("max_gcp", exp.cast(exp.convert(repr(request.max_gcp)), "DOUBLE"))]),
    )
    parameter = setting.model.parameter
    answer = with_names(answer, parameter, "gcp", f"max_{parameter}", "tried")
    return with_steps(answer, packing_steps(setting, named_columns(setting), labelled=True))


def frontier_statement(request: Frontier) -> exp.Select:
    """Build the statement of frontier. One row per setting, in the order of the settings."""
    first = request.settings[0]
    measured = query(
        "SELECT unnest(measured) FROM (SELECT unnest(measured) AS measured FROM :last) AS settings",
        last=f"tried_{len(request.settings)}",
    )
    steps = {**packing_steps(first, named_columns(first), labelled=True), **frontier_steps(request)}
    return with_steps(with_names(measured, "algo", first.model.parameter, *MEASURES), steps)


def loss_bound_statement(request: LossBound) -> exp.Select:
    """Build the statement of loss_bound. One row."""
    setting = request.setting
    answer = query(
        "SELECT unnest(_sqlanon_loss_bound(:setting, packed.rows, described.columns)) FROM packed CROSS JOIN described",
        setting=struct([*setting_fields(setting), ("effort", exp.convert(request.effort))]),
    )
    return with_steps(with_names(answer, "bound", "method", "rows"), packing_steps(setting, named_columns(setting)))


def with_names(answer: exp.Select, *names: str) -> exp.Select:
    """The same columns under these names."""
    alias = exp.TableAlias(this=exp.to_identifier("answer"), columns=[exp.to_identifier(name) for name in names])
    return exp.select("*").from_(exp.Subquery(this=answer, alias=alias))


def frontier_steps(request: Frontier) -> dict[str, Step]:
    """The steps from the packed table to the measures of every setting."""
    packed = query("SELECT packed.rows, described.columns FROM packed CROSS JOIN described")
    steps: dict[str, Step] = {"microdata": Once(packed)}
    before = query("SELECT [] AS measured").subquery("untried")
    for i, setting in enumerate(request.settings, 1):
        tried = query(
            """
            SELECT list_concat(
                tried.measured, [_sqlanon_frontier(:setting, microdata.rows, microdata.columns)]
            ) AS measured
            FROM :before AS tried CROSS JOIN microdata
            """,
            setting=struct(setting_fields(setting)),
            before=f"tried_{i - 1}" if i > 1 else before,
        )
        steps[f"tried_{i}"] = Once(tried)
    return steps
