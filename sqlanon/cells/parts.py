"""Parts of published cells, in the words of all who read a release: sql/read_cells.sql takes cells apart.

A part is a label, ['a'], also that of a value; an interval, ['1', '5']; a star, ['*'], which tells nothing; or NULL,
[NULL]. The ends of an interval, or a value twice, have positions on axes.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sqlanon.errors import UnsupportedType
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.template import expression

STAR = "part = ['*']"
"""Whether a part is a star, if `*` is no value."""

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
