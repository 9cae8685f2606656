"""The output of commands: tables for people, JSON for machines."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

Row = Sequence[object]


def output() -> Console:
    """The console for results. They are data, so nothing in them is taken for markup."""
    return Console(file=sys.stdout, markup=False, highlight=False, emoji=False)


def errors() -> Console:
    """The console for errors, warnings and progress."""
    return Console(file=sys.stderr, markup=False, highlight=False, emoji=False)


def printable(text: str, keep: str = "") -> str:
    """A text in which no character moves the cursor or changes a colour.

    >>> printable("a[red]" + chr(27) + "[31m").replace(chr(92), "|")
    'a[red]|x1b[31m'
    """
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)


def cell(value: object) -> str:
    """A value as a table shows it.

    >>> cell(1234567), cell(0.123456789), cell(None), cell(float("nan"))
    ('1,234,567', '0.123457', 'NULL', 'nan')
    """
    if value is None:
        return "NULL"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return printable(str(value))
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def data_cell(value: object) -> str:
    """A value of somebody's data: thousands have no separator, as 2014 may be a year.

    >>> data_cell(2014), data_cell(1234567), data_cell(0.123456789), data_cell(None), data_cell(True)
    ('2014', '1234567', '0.123457', 'NULL', 'True')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return cell(value)
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def plain(value: object) -> object:
    """A value as JSON has it: numbers that JSON does not know, dates and other types become text.

    >>> plain({"gcp": 0.5, "kl": math.inf, "levels": [1, None]})
    {'gcp': 0.5, 'kl': 'inf', 'levels': [1, None]}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else str(value)


def short_path(path: Path) -> str:
    """A path as a user would write it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    print(json.dumps(plain(value), ensure_ascii=False))


def print_table(
    names: Sequence[str],
    rows: Sequence[Row],
    title: str = "",
    folded: bool = False,
    write: Callable[[object], str] = cell,
) -> None:
    """Print rows. If they are wider than the terminal, cells are `folded`, or each row becomes a table of its own.

    `write` makes a text of each value: `cell` for measures of ours, `data_cell` for data.
    """
    console = output()
    if title:
        console.print(f"\n{printable(title)}\n")
    table = draw_table(names, rows, write)
    if folded or width(console, table) <= console.width:
        show(console, table)
        return
    for number, row in enumerate(rows, 1):
        if len(rows) > 1:
            console.print(f"\nrow {number:,}" if number > 1 else "row 1")
        show(console, draw_table(("column", "value"), list(zip(names, row, strict=True)), write))


def width(console: Console, table: Table) -> int:
    """The width of a table without a limit."""
    return table.__rich_measure__(console, console.options.update(max_width=sys.maxsize)).maximum


def print_pairs(pairs: Mapping[str, object] | Iterable[tuple[str, object]], title: str = "") -> None:
    """Print measures, one in a row."""
    listed = list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
    print_table(("measure", "value"), listed, title, folded=True)


def draw_table(names: Sequence[str], rows: Sequence[Row], write: Callable[[object], str]) -> Table:
    """A table; columns of numbers to the right."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, header_style="", padding=(0, 0, 0, 1))
    for position, name in enumerate(names):
        numbers = all(isinstance(row[position], int | float | None) for row in rows)
        table.add_column(printable(name), justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(write, row))
    return table


def print_text(text: str) -> None:
    """Print prose, folded to the width of the terminal."""
    show(output(), text)


def show(console: Console, drawing: Table | str) -> None:
    """Print a table or a text without spaces at the end of its lines."""
    with console.capture() as captured:
        console.print(drawing)
    console.print("\n".join(line.rstrip() for line in captured.get().splitlines()), soft_wrap=True)
