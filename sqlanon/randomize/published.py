"""The parameters that were published with a randomized release, read for the statements that need them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sqlanon.statement.source import wanted_columns
from sqlanon.statement.template import Once, Step, column, expression, query

from .request import PublishedParameters, RandomizationPrivacy, Reconstruction

PARAMS = ("attribute", "domain", "eta", "p", "ground")


def params_steps(request: Reconstruction | RandomizationPrivacy | PublishedParameters) -> dict[str, Step]:
    """The steps from a table of parameters to one row. What has been a file may be text; older ones have no ground."""
    names = {name: name for name in PARAMS}
    wanted = wanted_columns(request.params, request.function, names, argument="params", optional="ground")
    parameters = query(
        """
        SELECT list({
            'attribute': CAST(attribute AS VARCHAR), 'domain': TRY_CAST(domain AS VARCHAR[]),
            'eta': TRY_CAST(eta AS INTEGER), 'p': TRY_CAST(p AS DOUBLE),
            'ground': TRY_CAST(ground AS VARCHAR)
        }) AS parameters
        FROM params
        """
    )
    return {"params": Once(wanted), "parameters": parameters}


def item_types(keys: Iterable[str]) -> exp.Select:
    """One row: an item of each column, for its type."""
    names = tuple(keys)
    items = exp.select(
        *(exp.alias_(expression("any_value(_sqlanon_item(:key, :key))", key=column(key)), key) for key in names)
    ).from_("released")
    typed = (exp.alias_(expression("_sqlanon_text_if_untyped(:key, :key)", key=column(key)), key) for key in names)
    return exp.select(*typed).from_(items.subquery("items_of_any_type"))
