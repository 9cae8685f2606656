"""Rows as a table that a person likes to read.

>>> print(draw_table(["k", "share"], [(5, 0.25), (10, None)]))
  k  share
 ──  ─────
  5   0.25
 10   NULL
"""

from __future__ import annotations

from collections.abc import Sequence


def draw_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Align columns, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells), 1) for i, name in enumerate(names)]
    right = [all(isinstance(row[i], int | float | type(None)) for row in rows) for i in range(len(names))]

    def line(values: Sequence[str]) -> str:
        padded = (v.rjust(w) if r else v.ljust(w) for v, w, r in zip(values, widths, right, strict=True))
        return (" " + "  ".join(padded)).rstrip()

    return "\n".join([line(names), line(["─" * width for width in widths]), *map(line, cells)])


def _cell(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"
