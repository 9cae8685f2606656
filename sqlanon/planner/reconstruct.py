"""The statements that read a randomized release and its parameters.

params         the parameters that were published with the release
parameters     one row: all of them, as a list
released       the columns of the release that are asked for: a_1 …
lists          one row: the distinct combinations of lists, as text, with the rows that have each
reconstructed  one row: the domains of the attributes, and the estimated count of each cell
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.request.randomization import RandomizationPrivacy, Reconstruction

from .randomize import counted_domain
from .source import plain_value, read_table_for, wanted_columns
from .template import Once, Step, column, expression, identifier, query, struct, text, with_steps

PARAMS = ("attribute", "domain", "eta", "p")


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
        "items": exp.select(
            *(exp.alias_(expression("any_value(_sqlanon_item(:key, :key))", key=column(key)), key) for key in keys)
        ).from_("released"),
    }
    return with_steps(rows, steps)


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
    texts = {key: expression("CAST(:value AS VARCHAR)", value=column("value", f"domain_{key}")) for key in keys}
    counted = exp.select(*(exp.alias_(value, key) for key, value in texts.items()), "count(*) AS n").from_("source")
    for key in keys:
        same = exp.NullSafeEQ(this=column(key, "source"), expression=column("value", f"domain_{key}"))
        counted = counted.join(f"domain_{key}", on=same, copy=False)
    counted = counted.group_by(*(value.copy() for value in texts.values()))
    row = struct([*((key, column(key)) for key in keys), ("n", column("n"))])
    steps: dict[str, Step] = {
        **reconstruction_steps(request),
        "source": Once(wanted.select(*(exp.alias_(plain_value(key), key) for key in keys), append=False)),
        **{f"domain_{key}": Once(counted_domain(key)) for key in keys},
        "tabulated": query("SELECT list(:row) AS rows FROM :counted", row=row, counted=counted.subquery("counted")),
    }
    distance = query(
        """
        SELECT unnest(_sqlanon_distribution_distance(reconstructed.answer, tabulated.rows))
        FROM reconstructed CROSS JOIN tabulated
        """
    )
    return with_steps(distance, steps)


def attribute_keys(request: Reconstruction) -> dict[str, str]:
    """The attributes under names of our own."""
    return {f"a_{number}": name for number, name in enumerate(request.attributes, 1)}


def reconstruction_steps(request: Reconstruction) -> dict[str, Step]:
    """The steps from release and parameters to counts of cells."""
    keys = attribute_keys(request)
    texts = [exp.alias_(expression("TRY_CAST(:key AS VARCHAR[])", key=column(key)), key) for key in keys]
    distinct = exp.select(*texts).from_("released")
    counted = exp.select(*keys, "count(*) AS n").from_(distinct.subquery("texts")).group_by(*keys)
    row = struct([*((key, column(key)) for key in keys), ("n", column("n"))])
    setting = struct([("attributes", exp.array(*map(text, request.attributes))), ("method", text(request.method))])
    return {
        **params_steps(request),
        "released": Once(wanted_columns(request.rel, request.function, keys, argument="rel")),
        "lists": query("SELECT list(:row) AS lists FROM :counted", row=row, counted=counted.subquery("counted")),
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


def params_steps(request: Reconstruction | RandomizationPrivacy) -> dict[str, Step]:
    """The steps from a table of parameters to one row. What has been a file may be text."""
    wanted = wanted_columns(request.params, request.function, {name: name for name in PARAMS}, argument="params")
    parameters = query(
        """
        SELECT list({
            'attribute': CAST(attribute AS VARCHAR), 'domain': TRY_CAST(domain AS VARCHAR[]),
            'eta': TRY_CAST(eta AS INTEGER), 'p': TRY_CAST(p AS DOUBLE)
        }) AS parameters
        FROM params
        """
    )
    return {"params": Once(wanted), "parameters": parameters}


def privacy_statement(request: RandomizationPrivacy) -> exp.Select:
    """Build the statement that tells what the lists of a release protect.

    Which columns it has is known when it is bound, so each list carries the name of its column as its first item.
    """
    named = query(
        "SELECT list_concat([alias(COLUMNS(*))], TRY_CAST(COLUMNS(*) AS VARCHAR[])) FROM :rel",
        rel=read_table_for(request.function, request.rel, "rel"),
    )
    cells = query("SELECT unnest([*COLUMNS(*)]) AS cell FROM :named", named=named.subquery("named"))
    packed = query(
        """
        SELECT list({'name': list_extract(cell, 1), 'items': array_slice(cell, 2, len(cell)), 'n': n}) AS lists
        FROM (SELECT cell, count(*) AS n FROM :cells GROUP BY cell) AS counted
        """,
        cells=cells.subquery("cells"),
    )
    answer = query(
        """
        SELECT unnest(attributes, recursive := TRUE)
        FROM (
            SELECT _sqlanon_randomization_privacy(parameters.parameters, packed.lists) AS attributes
            FROM parameters CROSS JOIN packed
        ) AS answer
        """
    )
    return with_steps(answer, {**params_steps(request), "packed": packed})
