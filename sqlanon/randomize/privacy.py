"""The statement behind randomization_privacy.

params, parameters  the parameters that were published with the release
lists               one row: the distinct lists of each column, with the rows that have each
rows                one row: the distinct combinations of lists of all attributes, with the rows that have each
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.release.models import MOST_CELLS
from sqlanon.statement.source import read_table_for
from sqlanon.statement.template import query, with_steps

from .published import params_steps
from .request import RandomizationPrivacy


def privacy_statement(request: RandomizationPrivacy) -> exp.Select:
    """Build the statement that tells what the lists of a release protect."""
    answer = query(
        """
        SELECT unnest(attributes, recursive := TRUE)
        FROM (
            SELECT
                _sqlanon_randomization_privacy(parameters.parameters, lists.lists, rows.names, rows.lists) AS attributes
            FROM parameters CROSS JOIN lists CROSS JOIN rows
        ) AS answer
        """
    )
    steps = {**params_steps(request), "lists": distinct_lists(request), "rows": distinct_rows(request)}
    return with_steps(answer, steps)


def cells_of_rows(request: RandomizationPrivacy) -> exp.Subquery:
    """The rows of the release: a list of cells, each of them a list of texts.

    Which columns there are is known when it is bound, so each cell has the name of its column as its first item.
    """
    named = query(
        "SELECT list_concat([alias(COLUMNS(*))], TRY_CAST(COLUMNS(*) AS VARCHAR[])) FROM :rel",
        rel=read_table_for(request.function, request.rel, "rel"),
    )
    return query("SELECT [*COLUMNS(*)] AS cells FROM :named", named=named.subquery("named")).subquery("released")


def distinct_lists(request: RandomizationPrivacy) -> exp.Select:
    """One row: the distinct lists of each column."""
    return query(
        """
        SELECT list({'name': list_extract(cell, 1), 'items': array_slice(cell, 2, len(cell)), 'n': n}) AS lists
        FROM (
            SELECT cell, count(*) AS n FROM (SELECT unnest(cells) AS cell FROM :released) AS apart GROUP BY cell
        ) AS counted
        """,
        released=cells_of_rows(request),
    )


def distinct_rows(request: RandomizationPrivacy) -> exp.Select:
    """One row: the distinct rows, in their attributes. NULL if there are too many combinations of values to count."""
    return query(
        """
        SELECT
            any_value(list_transform(cells, lambda cell: list_extract(cell, 1))) AS names,
            list({'lists': list_transform(cells, lambda cell: array_slice(cell, 2, len(cell))), 'n': n}) AS lists
        FROM (
            SELECT cells, count(*) AS n
            FROM (
                SELECT
                    list_filter(cells, lambda cell: list_contains(attributes, lower(list_extract(cell, 1)))) AS cells
                FROM :released CROSS JOIN (
                    SELECT list(lower(CAST(attribute AS VARCHAR))) AS attributes FROM params
                    HAVING product(len(TRY_CAST(domain AS VARCHAR[]))) <= :most
                ) AS wanted
            ) AS filtered
            GROUP BY cells
        ) AS counted
        """,
        released=cells_of_rows(request),
        most=exp.convert(MOST_CELLS),
    )
