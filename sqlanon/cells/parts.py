"""Parts of published cells, in the words of all who read a release: sql/read_cells.sql takes cells apart.

A part is a label, ['a'], also that of a value; an interval, ['1', '5']; a star, ['*'], which tells nothing; or NULL,
[NULL]. The ends of an interval, or a value twice, have positions on axes.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sqlanon.errors import UnsupportedType
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.template import expression, query


def open_parts(cells: exp.Query | str) -> exp.Select:
    """A row for each part of some cells, whose `parts` they have, beside everything else that they have.

    `size`: how many parts the cell has, each as likely as the others; `ordinal` numbers them from 0. `labelled`: the
    part is no interval, but a label or NULL, which stands at both ends, low_text and high_text; `is_star`: it tells
    nothing, if `*` is no value. Both ends of an empty list are NULL, as are missing ones.
    """
    return query(
        """
        SELECT
            *, part[1] AS low_text, part[-1] AS high_text,
            len(part) = 1 AS labelled, coalesce(part = ['*'], FALSE) AS is_star
        FROM (
            SELECT * EXCLUDE (parts), len(parts) AS size, unnest(parts) AS part, unnest(range(len(parts))) AS ordinal
            FROM :cells
        ) AS opened
        """,
        cells=cells if isinstance(cells, str) else cells.subquery("cells"),
    )


def labels_like_lists(texts: exp.Subquery | str) -> exp.Select:
    """Per column that has a label like a list, `labels`: those of its `texts` that can be items of one.

    Those are all but the ones with commas between which nothing but other labels stands.
    """
    return query(
        """
        SELECT texts.column_number, list(texts.label) FILTER (WHERE NOT coalesce(separable, FALSE)) AS labels
        FROM :texts
        LEFT JOIN (
            SELECT with_commas.column_number, with_commas.label, count(texts.label) = count(*) AS separable
            FROM (
                SELECT column_number, label, unnest(string_split(label, ', ')) AS item
                FROM :texts
                WHERE contains(label, ', ')
            ) AS with_commas
            LEFT JOIN :texts ON texts.column_number = with_commas.column_number AND texts.label = item
            GROUP BY with_commas.column_number, with_commas.label
        ) AS divided ON divided.column_number = texts.column_number AND divided.label = texts.label
        GROUP BY texts.column_number
        HAVING bool_or(_sqlanon_like_list(texts.label))
        """,
        texts=texts,
    )


AXES = {
    "number": "_sqlanon_number({scale}, {text})",
    "days": "_sqlanon_days({text})",
    "clock": "_sqlanon_clock({text})",
}
"""The position of a text on an axis; NULL if it is not on that axis. `scale` says what type a number was."""


def positions(axes: Iterable[str], scale: str = "'exact'") -> list[exp.Expr]:
    """Of low_text and high_text, the ends of a part, the positions on these axes: low_number, high_number, …"""
    ends = ("low", "high")
    return [
        expression(f"{AXES[axis].format(scale=scale, text=f'{end}_text')} AS {end}_{axis}")
        for axis in axes
        for end in ends
    ]


def refuse_nested_type(cell: exp.Expr, name: str) -> exp.Expr:
    """TRUE; SA104 for a nested type that is neither a range nor a list."""
    return expression(
        "CASE WHEN _sqlanon_is_nested_type(typeof(:cell)) THEN :refused IS NULL ELSE TRUE END",
        cell=cell,
        refused=DUCKDB.raise_error(
            UnsupportedType(name, blank("type")),
            type=expression("regexp_extract(typeof(:cell), '^[A-Z]+')", cell=cell.copy()),
        ),
    )
