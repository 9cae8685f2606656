"""From what an algorithm says of rows to what leaves: cells by column (see published), in an order that tells nothing.

Rows are in groups, which are numbered by what they publish, or each row stands for itself, and has been shuffled.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.cells.cell import Cell
from sqlanon.statement.template import Columns, Once, Step, column, expression, field, identifier, query, struct

from .cells import cell_of
from .request import Release


def published_cells(request: Release, columns: Columns) -> list[Cell]:
    """The cells of every column, in the order of the release."""
    return [cell_of(request, columns, key) for key in columns.names]


def group_steps(columns: Columns, cells: Sequence[Cell], with_people: bool = False) -> dict[str, Step]:
    """The steps from assigned rows to one row per member, group by group, with values for codes.

    `with_people`: each row has its `person`, too, which moves no row: neither members nor groups are sorted by it.
    """
    steps: dict[str, Step] = {}
    for cell in cells:
        steps |= cell.steps()
    steps |= {
        "spans": spans(cells, with_people),
        "groups": Once(groups(cells, with_people)),
        "classes": shared_classes(columns, cells),
        "numbered": numbered_groups(cells, with_people),
    }
    rows = decode_rows(cells, opened_groups(with_people), grouped=True)
    if with_people:
        rows = rows.select("person")
    return {**steps, **dictionary_steps(cells), "opened": rows}


def row_steps(cells: Sequence[Cell]) -> dict[str, Step]:
    """The same for rows that are in no group, and stay in their order."""
    member = exp.alias_(member_of(cells), "member")
    rows = exp.select(member).from_("assigned").subquery("assigned")
    return {**dictionary_steps(cells), "opened": decode_rows(cells, rows, grouped=False)}


def spans(cells: Sequence[Cell], with_people: bool) -> exp.Select:
    """One row per group of the algorithm; rows that it left out are in none.

    Members are sorted, so that their order tells nothing; the sort is by what is published only.
    """
    taken = {"grp": column("grp"), "members": expression("_sqlanon_sorted(list(:member))", member=member_of(cells))}
    if with_people:  # in the order of the members: whose of two equal rows is whose makes no difference
        taken["people"] = expression(
            "list_transform(_sqlanon_sorted(list(:pair)), lambda pair: pair['person'])",
            pair=struct([("member", member_of(cells)), ("person", field("codes", "entity"))]),
        )
    rows = exp.select().from_("assigned")
    for cell in cells:
        taken |= cell.aggregates()
        for table, condition, kind in cell.member_joins():
            rows = rows.join(table, on=condition, join_type=kind, copy=False)
    selected = (exp.alias_(value, name) for name, value in taken.items())
    return rows.select(*selected).where("grp >= 0").group_by("grp")


def member_of(cells: Sequence[Cell]) -> exp.Struct:
    """The cells that are a row's alone."""
    fields = [(cell.key, value) for cell in cells if (value := cell.of_member()) is not None]
    return struct(fields or [("row", exp.Literal.number(0))])


def groups(cells: Sequence[Cell], with_people: bool) -> exp.Select:
    """The cells that all rows of a group share, and its members."""
    published = exp.select("spans.grp", "spans.members", *(["spans.people"] if with_people else [])).from_("spans")
    for cell in cells:
        for table, condition, kind in cell.joins():
            published = published.join(table, on=condition, join_type=kind, copy=False)
        value = cell.of_group()
        if value is not None:
            published = published.select(exp.alias_(value, cell.key), copy=False)
    return published


def shared_classes(columns: Columns, cells: Sequence[Cell]) -> exp.Select:
    """The groups that publish the same quasi-identifiers as another one: `grp`, and the `class` that they are together.

    Where quasi-identifiers are exact, rows of a group differ in them, and what is told of a row is told by its group:
    there, a class is a group.
    """
    published = [column(cell.key) for cell in cells if cell.key in columns.qi and cell.of_group() is not None]
    alike = query("SELECT list(grp) AS groups FROM groups HAVING count(*) > 1").group_by(*published)
    if not published:
        alike = query("SELECT list(grp) AS groups FROM groups WHERE FALSE")
    statement = "SELECT unnest(groups) AS grp, list_aggregate(groups, 'min') AS class FROM :alike"
    return query(statement, alike=alike.subquery("alike"))


def numbered_groups(cells: Sequence[Cell], with_people: bool) -> exp.Select:
    """Number the groups by what they publish. Groups that still tie publish the same, so their order tells nothing."""
    names = [*(cell.key for cell in cells if cell.of_group() is not None), "members"]
    order = exp.Order(expressions=[exp.Ordered(this=column(name), desc=False, nulls_first=False) for name in names])
    number = exp.cast(exp.Window(this=exp.RowNumber(), order=order), "INTEGER")
    return (
        exp.select(exp.alias_(number, "group_id"), *map(column, names), *(["people"] if with_people else []))
        .from_("groups")
        .order_by("group_id ASC", dialect="duckdb")
    )


def dictionary_steps(cells: Sequence[Cell]) -> dict[str, Step]:
    """One row: by column, the list that turns codes into what is published; no step if there is none."""
    lists = [(cell.key, listed) for cell in cells if (listed := cell.dictionary()) is not None]
    selected = exp.select(*(exp.alias_(listed.subquery(), key) for key, listed in lists))
    return {"dictionary": selected} if lists else {}


def opened_groups(with_people: bool) -> exp.Subquery:
    """One row per member, group by group."""
    members = [exp.alias_(exp.func("unnest", column("members")), "member")]
    if with_people:
        members.append(exp.alias_(exp.func("unnest", column("people")), "person"))
    return exp.select("*", *members).from_("numbered").subquery("numbered")


def decode_rows(cells: Sequence[Cell], rows: exp.Subquery, grouped: bool) -> exp.Select:
    """The rows with values for codes."""
    number = [column("group_id")] if grouped else []
    values = exp.select(*number, *(exp.alias_(cell.in_row(), cell.key) for cell in cells)).from_(rows)
    if dictionary_steps(cells):
        values = values.join("dictionary", join_type="cross", copy=False)
    return values


def released_rows(columns: Columns, cells: Sequence[Cell], grouped: bool = True) -> exp.Select:
    """The rows of the release under the users' names, once the promise is kept."""
    number = [column("group_id", "opened")] if grouped else []
    written = (exp.alias_(cell.written(), identifier(columns.names[cell.key])) for cell in cells)
    return (
        exp.select(*number, *written)
        .from_("opened")
        .join("promise", join_type="cross", copy=False)
        .where("promise.kept", copy=False)
    )


def sorted_rows(columns: Columns, rows: exp.Select) -> exp.Select:
    """The same in the order of what is published: exact values as text have an order of their own."""
    names = [exp.to_identifier("group_id"), *map(identifier, columns.names.values())]
    return rows.order_by(*(exp.Ordered(this=exp.column(name), nulls_first=False, desc=False) for name in names))
