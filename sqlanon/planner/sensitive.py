"""What a release publishes of the sensitive attribute: a value in each row, or all those of its group."""

from __future__ import annotations

from sqlglot import exp

from .cells import outside
from .template import Once, Step, query, text, with_steps

SA = "sa_1"


def published_values(name: str) -> exp.Select:
    """The distinct published values (cells), with their rows, and the texts of the values that each stands for.

    `typed` ones are lists, but for ['*'], which reads as `*`; `braced` ones are lists as text, {a, b}, but for what is
    `exact`: a value of the source.
    """
    return with_steps(told_secrets(name), secret_steps())


def secret_steps() -> dict[str, Step]:
    """The sensitive values of the source; those with a comma, unless all that stands between commas are values too."""
    return {
        "secrets": Once(
            query(
                "SELECT CAST(:sa AS VARCHAR) AS label, :sa AS value, 1 AS place FROM source GROUP BY :sa",
                sa=exp.column(SA),
            )
        ),
        "joint": query(
            """
            SELECT DISTINCT label
            FROM (
                SELECT label, unnest(string_split(label, ', ')) AS piece FROM secrets WHERE contains(label, ', ')
            ) AS pieces
            WHERE NOT piece IN (SELECT label FROM secrets WHERE NOT label IS NULL)
            """
        ),
    }


def told_secrets(name: str) -> exp.Select:
    """The published values, from what secret_steps tells."""
    return query(
        """
        SELECT *, CASE
            WHEN typed THEN CASE WHEN label = '[]' THEN error(:outside) ELSE TRY_CAST(cell AS VARCHAR[]) END
            WHEN braced THEN _sqlanon_braced_items(substr(label, 2, length(label) - 2), joined)
            ELSE [label]
        END AS items
        FROM (
            SELECT
                cell, n, published.label, typed, joined,
                coalesce(published.label LIKE '{%}' AND known.place IS NULL, FALSE) AS braced,
                NOT known.place IS NULL AS exact
            FROM (
                SELECT
                    cell, n, listed AND label <> '[*]' AS typed,
                    CASE WHEN listed AND label = '[*]' THEN '*' ELSE label END AS label
                FROM (
                    SELECT
                        :sa AS cell, CAST(:sa AS VARCHAR) AS label, count(*) AS n,
                        coalesce(typeof(:sa) LIKE '%[]' AND NOT :sa IS NULL, FALSE) AS listed
                    FROM released
                    GROUP BY :sa
                ) AS counted
            ) AS published
            LEFT JOIN secrets AS known ON known.label IS NOT DISTINCT FROM published.label
            CROSS JOIN (SELECT list(label ORDER BY length(label) DESC, label ASC) AS joined FROM joint) AS commas
        ) AS told
        """,
        sa=exp.column(SA),
        outside=text(outside(name)),
    )
