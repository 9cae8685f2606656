"""The statements behind best_k, best_l and frontier: several releases of one table, measured and not published.

The whole table goes through a function as one row, as in a release. frontier calls it once per setting:

    given      one row: the table in codes, and what they mean
    tried_i    one row: what the first i settings measured, a list, from given and the step before

So DuckDB runs settings one by one: none competes with another while it is timed, and an interrupt is heeded
between two. A recursive step would be shorter, but on Ctrl-C DuckDB 2.0 goes through with it.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sqlanon.request import Release, Search

from .release import MATERIALIZED, own_names, packing_steps
from .template import query, struct, text, with_steps

MEASURES = ("gcp", "avg_class_size", "kl", "median_error", "seconds")
"""What frontier measures of each setting, in the order of _sqlanon_frontier."""


def search_statement(search: Search) -> exp.Select:
    """Build the statement of a search."""
    request = replace(search.settings[0], function=search.function)
    steps = packing_steps(request, own_names(request), labelled=True)
    if search.max_gcp is not None:
        return with_steps(strongest(search, search.max_gcp), steps, once=MATERIALIZED)
    return with_steps(frontier(search), {**steps, **frontier_steps(search)}, once=(*MATERIALIZED, "given", "tried_"))


def strongest(search: Search, max_gcp: float) -> exp.Select:
    """One row: the largest k or l within the budget, and what it loses."""
    (setting,) = search.settings
    limit = exp.cast(exp.Literal.number(repr(max_gcp)), "DOUBLE")
    answer = query(
        "SELECT unnest(_sqlanon_strongest(:asked, packed.rows, described.columns)) FROM packed CROSS JOIN described",
        asked=struct([*asked(setting), ("max_gcp", limit)]),
    )
    return renamed(answer, setting.parameter, "gcp", f"max_{setting.parameter}", "tried")


def frontier(search: Search) -> exp.Select:
    """One row per setting, in the order of the settings."""
    last = f"tried_{len(search.settings)}"
    measured = query(
        "SELECT unnest(measured) FROM (SELECT unnest(measured) AS measured FROM :last) AS settings", last=last
    )
    return renamed(measured, "algo", search.settings[0].parameter, *MEASURES)


def renamed(answer: exp.Select, *names: str) -> exp.Select:
    """The same columns under these names."""
    alias = exp.TableAlias(this=exp.to_identifier("answer"), columns=[exp.to_identifier(name) for name in names])
    return exp.select("*").from_(exp.Subquery(this=answer, alias=alias))


def frontier_steps(search: Search) -> dict[str, exp.Select]:
    """The steps from the packed table to the measures of every setting."""
    steps = {"given": query("SELECT packed.rows, described.columns FROM packed CROSS JOIN described")}
    before = query("SELECT [] AS measured").subquery("untried")
    for i, setting in enumerate(search.settings, 1):
        steps[f"tried_{i}"] = query(
            """
            SELECT list_concat(tried.measured, [_sqlanon_frontier(:asked, given.rows, given.columns)]) AS measured
            FROM :before AS tried CROSS JOIN given
            """,
            asked=struct([*asked(setting), ("least", exp.convert(setting.least))]),
            before=f"tried_{i - 1}" if i > 1 else before,
        )
    return steps


def asked(setting: Release) -> list[tuple[str, exp.Expr]]:
    """What there is to say of every setting but its k or l."""
    return [
        ("function", text(setting.function)),
        ("parameter", text(setting.parameter)),
        ("algo", text(setting.algo)),
        ("seed", exp.convert(setting.seed)),
        ("recode", text(setting.recode)),
    ]
