"""What a release publishes of the sensitive attribute: a value in each row, or all those of its group."""

from __future__ import annotations

from sqlglot import exp

from .cells import outside
from .template import query, text

SA = "sa_1"


def published_values(name: str) -> exp.Select:
    """The distinct published values (cells), with their rows, and the texts of the values that each stands for.

    `typed` ones are lists; `braced` ones are lists as text, {a, b}, but for what is `exact`: a value of the source.
    """
    return query(
        """
        SELECT *, CASE
            WHEN typed THEN CASE WHEN label = '[]' THEN error(:outside) ELSE TRY_CAST(cell AS VARCHAR[]) END
            WHEN braced THEN string_split(substr(label, 2, length(label) - 2), ', ')
            ELSE [label]
        END AS items
        FROM (
            SELECT
                cell, n, published.label,
                coalesce(typeof(cell) LIKE '%[]' AND NOT cell IS NULL, FALSE) AS typed,
                coalesce(published.label LIKE '{%}' AND known.place IS NULL, FALSE) AS braced,
                NOT known.place IS NULL AS exact
            FROM (
                SELECT :sa AS cell, CAST(:sa AS VARCHAR) AS label, count(*) AS n FROM released GROUP BY :sa
            ) AS published
            LEFT JOIN (SELECT CAST(:sa AS VARCHAR) AS label, 1 AS place FROM source GROUP BY :sa) AS known
                ON known.label IS NOT DISTINCT FROM published.label
        ) AS told
        """,
        sa=exp.column(SA),
        outside=text(outside(name)),
    )
