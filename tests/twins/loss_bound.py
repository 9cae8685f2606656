"""Twin of the bound by nearest rows: the smallest box that each row can be in, by looking at all other rows."""

from __future__ import annotations

from .naive import Table, ncp


def box_loss(table: Table, rows: tuple[int, ...]) -> float:
    """The NCP of the box of some rows, summed over the columns."""
    return sum(ncp(column, (table.codes[row][c] for row in rows)) for c, column in enumerate(table.columns))


def smallest_by_rows(table: Table, row: int, k: int) -> float:
    """The NCP of the box of a row and its (k − 1)-th nearest other row."""
    others = sorted(box_loss(table, (row, other)) for other in range(len(table.codes)) if other != row)
    return others[k - 2] if k > 1 else 0.0


def smallest_by_values(table: Table, row: int, l: int) -> float:
    """The NCP of the box of a row and its (l − 1)-th nearest other sensitive value."""
    nearest: dict[int, float] = {}
    for other, value in enumerate(table.sensitive):
        if value != table.sensitive[row]:
            nearest[value] = min(nearest.get(value, float("inf")), box_loss(table, (row, other)))
    return sorted(nearest.values())[l - 2]
