"""The statements that read a randomized release and its parameters.

params         the parameters that were published with the release
parameters     one row: all of them, as a list
released       the columns of the release that are asked for: a_1 …
lists          one row: the distinct combinations of lists, as text, with the rows that have each
reconstructed  one row: the domains of the attributes, and the estimated count of each cell
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqlanon.statement.source import plain_value, wanted_columns
from sqlanon.statement.template import Once, Step, column, expression, identifier, query, struct, text, with_steps

from .domains import counted_domain
from .published import item_types, params_steps
from .request import Reconstruction


def reconstruct_statement(request: Reconstruction) -> exp.Select:
    """Build the statement that estimates a cross tabulation: a row per cell, in the order of the domains."""
    keys = attribute_keys(request)
    strides = {key: stride(number, len(keys)) for number, key in enumerate(keys, 1)}
    values = (
        exp.alias_(
            expression(
                """
                cast_to_type(
                    list_extract(:domain, CAST(cell // :stride % len(:domain) + 1 AS BIGINT)), :item
                )
                """,
                domain=domain(number),
                stride=strides[key],
                item=column(key, "items"),
            ),
            identifier(name),
        )
        for number, (key, name) in enumerate(keys.items(), 1)
    )
    cells = query(
        """
        SELECT answer, unnest(struct_extract(answer, 'counts')) AS estimate,
            unnest(range(len(struct_extract(answer, 'counts')))) AS cell
        FROM reconstructed
        """
    )
    rows = exp.select(*values, exp.alias_(column("estimate", "cells"), identifier("count"))).from_(
        cells.subquery("cells")
    )
    rows = rows.join("items", join_type="cross", copy=False).order_by("cells.cell ASC", dialect="duckdb")
    steps: dict[str, Step] = {
        **reconstruction_steps(request),
        "items": item_types(keys),
    }
    return with_steps(rows, steps)


def steps_statement(request: Reconstruction) -> exp.Select:
    """Build the statement that tells what a reconstruction took: one row."""
    answer = query(
        """
        SELECT
            CAST(len(struct_extract(answer, 'counts')) AS BIGINT) AS cells, struct_extract(answer, 'rows') AS "rows",
            struct_extract(answer, 'steps') AS iterations, struct_extract(answer, 'change') AS change,
            struct_extract(answer, 'converged') AS converged
        FROM reconstructed
        """
    )
    return with_steps(answer, reconstruction_steps(request))


def domain(number: int) -> exp.Expr:
    """The values of an attribute, as text."""
    return expression("list_extract(struct_extract(answer, 'domains'), :number)", number=exp.Literal.number(number))


def stride(number: int, attributes: int) -> exp.Expr:
    """By how much the number of a cell grows with the code of an attribute."""
    product: exp.Expr = exp.Literal.number(1)
    for later in range(number + 1, attributes + 1):
        product = expression("len(:domain) * :product", product=product, domain=domain(later))
    return exp.Paren(this=product)


def distance_statement(request: Reconstruction) -> exp.Select:
    """Build the statement that compares what is reconstructed with the source."""
    keys = attribute_keys(request)
    wanted = wanted_columns(request.src or "", request.function, keys, argument="src")
    texts = {key: column("published", f"domain_{key}") for key in keys}
    counted = exp.select(*(exp.alias_(value, key) for key, value in texts.items()), "count(*) AS n").from_("source")
    for key in keys:
        same = exp.NullSafeEQ(this=column(key, "source"), expression=column("value", f"domain_{key}"))
        counted = counted.join(f"domain_{key}", on=same, copy=False)
    counted = counted.group_by(*(value.copy() for value in texts.values()))
    row = struct([*((key, column(key)) for key in keys), ("n", column("n"))])
    steps: dict[str, Step] = {
        **reconstruction_steps(request),
        "source": Once(wanted.select(*(exp.alias_(plain_value(key), key) for key in keys), append=False)),
        **{f"domain_{key}": Once(published_domain(key, number)) for number, key in enumerate(keys, 1)},
        "tabulated": query("SELECT list(:row) AS rows FROM :counted", row=row, counted=counted.subquery("counted")),
    }
    distance = query(
        """
        SELECT unnest(_sqlanon_distribution_distance(reconstructed.answer, tabulated.rows))
        FROM reconstructed CROSS JOIN tabulated
        """
    )
    return with_steps(distance, steps)


def published_domain(key: str, number: int) -> exp.Select:
    """The values of the source, and what the release has for each: the label of its bin, or the value as text."""
    labels = query("SELECT unnest(:domain) AS label FROM reconstructed", domain=domain(number))
    bins = query(
        """
        SELECT
            label,
            TRY(cast_to_type(list_extract(parts, 1), witness)) AS low,
            TRY(cast_to_type(list_extract(parts, 2), witness)) AS high
        FROM (SELECT label, list_extract(_sqlanon_range_parts(label), 1) AS parts FROM :labels) AS read
        CROSS JOIN (
            SELECT _sqlanon_text_if_untyped(item, item) AS witness FROM (SELECT any_value(:column) AS item FROM source)
        ) AS typed
        WHERE len(parts) = 2 AND _sqlanon_kind(typeof(witness)) = 'range'
        """,
        labels=labels.subquery("labels"),
        column=column(key),
    )
    return query(
        """
        SELECT counted.value, coalesce(bins.label, CAST(counted.value AS VARCHAR)) AS published
        FROM :counted LEFT JOIN :bins ON counted.value BETWEEN bins.low AND bins.high
        """,
        counted=counted_domain(key).subquery("counted"),
        bins=bins.subquery("bins"),
    )


def attribute_keys(request: Reconstruction) -> dict[str, str]:
    """The attributes under names of our own."""
    return {f"a_{number}": name for number, name in enumerate(request.attributes, 1)}


def reconstruction_steps(request: Reconstruction) -> dict[str, Step]:
    """The steps from release and parameters to counts of cells."""
    keys = attribute_keys(request)
    setting = struct([("attributes", exp.array(*map(text, request.attributes))), ("method", text(request.method))])
    return {
        **params_steps(request),
        "released": Once(wanted_columns(request.rel, request.function, keys, argument="rel")),
        "lists": counted_lists({key: expression("TRY_CAST(:key AS VARCHAR[])", key=column(key)) for key in keys}),
        "reconstructed": Once(
            query(
                """
                SELECT _sqlanon_reconstruction(:setting, parameters.parameters, lists.lists) AS answer
                FROM parameters CROSS JOIN lists
                """,
                setting=setting,
            )
        ),
    }


def counted_lists(texts: Mapping[str, exp.Expr]) -> exp.Select:
    """One row: the distinct combinations of lists, each as text under its key, with the rows that have it (n)."""
    listed = exp.select(*(exp.alias_(each, key) for key, each in texts.items())).from_("released")
    counted = exp.select(*texts, "count(*) AS n").from_(listed.subquery("texts")).group_by(*texts)
    row = struct([*((key, column(key)) for key in texts), ("n", column("n"))])
    return query("SELECT list(:row) AS lists FROM :counted", row=row, counted=counted.subquery("counted"))
