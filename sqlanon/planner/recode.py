"""From groups of rows to what leaves: cells by column (see published), groups in an order that tells nothing."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.request.release import Release

from .published import Cell, cell_of
from .template import Columns, column, expression, identifier, struct


def published_cells(request: Release, columns: Columns) -> list[Cell]:
    """What every column publishes, in the order of the release."""
    return [cell_of(request, columns, key) for key in columns.names]


def published_steps(cells: Sequence[Cell]) -> dict[str, exp.Select]:
    """The steps from assigned rows to one row per member, with values for codes."""
    steps: dict[str, exp.Select] = {}
    for cell in cells:
        steps |= cell.steps()
    steps |= {"spans": spans(cells), "groups": groups(cells), "numbered": numbered_groups(cells)}
    if any(cell.dictionary() for cell in cells):
        steps["dictionary"] = dictionary(cells)
    return {**steps, "opened": opened_groups(cells)}


def spans(cells: Sequence[Cell]) -> exp.Select:
    """One row per group of the algorithm; rows that it placed nowhere are in none.

    Members are sorted, so that their order tells nothing; the sort is by what is published only.
    """
    fields = [(cell.key, value) for cell in cells if (value := cell.of_member()) is not None]
    member = struct(fields or [("row", exp.Literal.number(0))])
    taken = {"members": expression("_sqlanon_sorted(list(:member))", member=member)}
    rows = exp.select().from_("assigned")
    for cell in cells:
        taken |= cell.aggregates()
        for table, condition, kind in cell.member_joins():
            rows = rows.join(table, on=condition, join_type=kind, copy=False)
    selected = (exp.alias_(value, name) for name, value in taken.items())
    return rows.select(*selected).where("grp >= 0").group_by("grp")


def groups(cells: Sequence[Cell]) -> exp.Select:
    """What each group publishes for all its rows, and its members."""
    published = exp.select("spans.members").from_("spans")
    for cell in cells:
        for table, condition, kind in cell.joins():
            published = published.join(table, on=condition, join_type=kind, copy=False)
        value = cell.of_group()
        if value is not None:
            published = published.select(exp.alias_(value, cell.key), copy=False)
    return published


def numbered_groups(cells: Sequence[Cell]) -> exp.Select:
    """Number the groups by what they publish. Groups that still tie publish the same, so their order tells nothing."""
    names = [*(cell.key for cell in cells if cell.of_group() is not None), "members"]
    order = exp.Order(expressions=[exp.Ordered(this=column(name), desc=False, nulls_first=False) for name in names])
    number = exp.cast(exp.Window(this=exp.RowNumber(), order=order), "INTEGER")
    return (
        exp.select(exp.alias_(number, "group_id"), *map(column, names))
        .from_("groups")
        .order_by("group_id ASC", dialect="duckdb")
    )


def dictionary(cells: Sequence[Cell]) -> exp.Select:
    """One row: by column, the list that turns codes into what is published."""
    lists = ((cell.key, cell.dictionary()) for cell in cells)
    return exp.select(*(exp.alias_(listed.subquery(), key) for key, listed in lists if listed is not None))


def opened_groups(cells: Sequence[Cell]) -> exp.Select:
    """One row per member, group by group, with values for codes."""
    opened = exp.select("*", exp.alias_(exp.func("unnest", column("members")), "member")).from_("numbered")
    rows = exp.select("group_id", *(exp.alias_(cell.in_row(), cell.key) for cell in cells))
    rows = rows.from_(opened.subquery("numbered"))
    if any(cell.dictionary() for cell in cells):
        rows = rows.join("dictionary", join_type="cross", copy=False)
    return rows


def released_rows(request: Release, columns: Columns, cells: Sequence[Cell]) -> exp.Select:
    """The rows of the release under the users' names, once the promise is kept."""
    written = (exp.alias_(cell.written(), identifier(columns.names[cell.key])) for cell in cells)
    rows = (
        exp.select(column("group_id", "opened"), *written)
        .from_("opened")
        .join("promise", join_type="cross", copy=False)
        .where("promise.kept", copy=False)
    )
    if request.recode == "none":  # exact values as text have an order of their own
        names = [exp.to_identifier("group_id"), *map(identifier, columns.names.values())]
        rows = rows.order_by(*(exp.Ordered(this=exp.column(name), nulls_first=False, desc=False) for name in names))
    return rows
