"""What groups publish: the quasi-identifiers recoded, in text or typed, and the order in which rows leave.

A group is known here only by the lowest and highest code of each quasi-identifier; the macros of
sql/recode.sql turn the values behind them into a range, a label, a star or a list.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.request import Release

from .template import Columns, column, expression, field, identifier, query, struct, taxonomy_step, text

LARGEST_LISTS = 1_000_000_000
"""Elements that all lists of one typed column may hold together: beyond it, no machine of today is happy."""


def published_steps(request: Release, columns: Columns) -> dict[str, exp.Select]:
    """The steps from assigned rows to numbered groups, and what it takes to read their members' codes."""
    exact = request.recode == "none"
    steps = exact_groups(request, columns) if exact else recoded_groups(request, columns)
    published = [secrets(own) for own in columns.sensitive] if exact else columns.qi
    steps["numbered"] = numbered_groups([*published, "members"])
    if read := read_columns(request, columns):
        steps["dictionary"] = dictionary(read)
    steps["opened"] = opened_groups(request, columns)
    return steps


def member_columns(request: Release, columns: Columns) -> list[str]:
    """What differs from row to row within a group. Exact quasi-identifiers never stand beside the row's own sa."""
    return [*(columns.qi if request.recode == "none" else columns.sensitive), *columns.kept]


def read_columns(request: Release, columns: Columns) -> list[str]:
    """The columns whose codes are turned into values row by row."""
    return [*member_columns(request, columns), *(columns.sensitive if request.recode == "none" else [])]


def members(request: Release, columns: Columns) -> exp.Expr:
    """The members of a group, sorted, so that their order tells nothing; the sort is by what is published only."""
    fields = [(own, field("codes", own)) for own in member_columns(request, columns)]
    member = struct(fields or [("row", exp.Literal.number(0))])
    return expression("_sqlanon_sorted(list(:member))", member=member)


def recoded_groups(request: Release, columns: Columns) -> dict[str, exp.Select]:
    """Groups that publish one recoded value per quasi-identifier, from the extent of its codes."""
    steps: dict[str, exp.Select] = {}
    spans = placed_groups("grp", exp.alias_(members(request, columns), "members"))
    groups = exp.select("spans.members").from_("spans")
    for own in columns.qi:
        tree = own in columns.taxonomy
        for end, extreme in (("low", "min"), ("high", "max")):
            side = f"{end}_{own}"
            spans = spans.select(exp.alias_(exp.func(extreme, field("codes", own)), side), copy=False)
            groups = groups.join(
                exp.alias_(exp.to_table(f"domain_{own}"), side, table=True),
                on=(exp.NullSafeEQ if request.nulls == "wildcard" else exp.EQ)(
                    this=column("code", side), expression=column(side, "spans")
                ),
                copy=False,
            )
        if request.format == "typed":
            steps[f"everything_{own}"] = every_value(own, columns.names[own], tree)
            groups = groups.join(f"everything_{own}", join_type="cross", copy=False)
            if tree and request.recode == "generalize":
                steps[f"nodes_{own}"] = tree_nodes(own)
                groups = groups.join(f"nodes_{own}", on=meeting_node(own), join_type="left", copy=False)
        groups = groups.select(exp.alias_(recoded_value(request, own, tree), own), copy=False)
    return {"spans": spans, **steps, "groups": groups}


def exact_groups(request: Release, columns: Columns) -> dict[str, exp.Select]:
    """Groups that publish exact quasi-identifiers, and all their sensitive values in place of each row's own."""
    lists = (
        exp.alias_(expression("_sqlanon_sorted(list(:code))", code=field("codes", own)), secrets(own))
        for own in columns.sensitive
    )
    return {"groups": placed_groups(exp.alias_(members(request, columns), "members"), *lists)}


def placed_groups(*selected: str | exp.Expr) -> exp.Select:
    """The groups of the algorithm; rows that it placed nowhere are in none."""
    return exp.select(*selected).from_("assigned").where("grp >= 0").group_by("grp")


def secrets(own: str) -> str:
    """The name of the list of a group's values of a sensitive attribute."""
    return f"secrets_{own}"


def dictionary(read: list[str]) -> exp.Select:
    """One row: the values of each column by code, to read members with."""
    lists = (
        exp.alias_(
            query("SELECT list(value ORDER BY code ASC) FROM :domain", domain=f"domain_{own}").subquery(),
            own,
        )
        for own in read
    )
    return exp.select(*lists)


def recoded_value(request: Release, own: str, tree: bool) -> exp.Expr:
    """What a group publishes for one quasi-identifier."""
    ends = {
        "low": column("value", f"low_{own}"),
        "high": column("value", f"high_{own}"),
        "all_values": column("all_values", f"everything_{own}"),
    }
    paths = {"low": column("path", f"low_{own}"), "high": column("path", f"high_{own}")}
    suppress = request.recode == "suppress"
    if request.format == "text":
        if suppress:
            return expression("_sqlanon_star_text(:low, :high)", **ends)
        if tree:
            return expression("_sqlanon_label_text(:low, :high)", **paths)
        return expression("_sqlanon_range_text(_sqlanon_kind(typeof(:low)), :low, :high)", **ends)
    if not tree:
        return expression("_sqlanon_typed(:low, :low, :high, :exact, :all_values)", exact=exp.convert(suppress), **ends)
    if suppress:
        return expression("_sqlanon_values(:low, :high, :all_values)", **ends)
    return expression(
        "_sqlanon_leaves(:low, :high, :leaves, :all_values)",
        leaves=column("leaves", f"nodes_{own}"),
        all_values=ends["all_values"],
        **paths,
    )


def every_value(own: str, name: str, tree: bool) -> exp.Select:
    """One row: what `*` covers, sorted: the leaves of the taxonomy or the values of the data, and NULL if it occurs.

    Read only for categories. Such a list is published in every row of a group that differs.
    """
    values = (
        query(
            """
            SELECT path[1] AS value FROM :taxonomy
            UNION ALL SELECT NULL FROM (SELECT value FROM :listed) AS found WHERE value IS NULL
            """,
            taxonomy=taxonomy_step(own),
            listed=f"domain_{own}",
        )
        if tree
        else query("SELECT CAST(value AS VARCHAR) AS value FROM :listed", listed=f"domain_{own}")
    )
    too_long = InvalidParameter(
        f"format 'typed' would list every value of column {name!r} in too many rows.",
        "Use format 'text', or give the column a taxonomy.",
    )
    return query(
        """
        SELECT CASE
            WHEN count(*) * (SELECT count(*) FROM source) > :most THEN error(:too_long)
            ELSE list(value ORDER BY value ASC NULLS LAST)
        END AS all_values
        """,
        most=exp.Literal.number(LARGEST_LISTS),
        too_long=text(str(too_long)),
    ).from_(values.subquery("found"))


def tree_nodes(own: str) -> exp.Select:
    """Every node of a taxonomy, with the sorted leaves below it; level 1 is the leaf itself."""
    return query(
        """
        SELECT level, path[level] AS label, list(path[1] ORDER BY path[1] ASC) AS leaves
        FROM (SELECT path, unnest(range(1, len(path) + 1)) AS level FROM :taxonomy) AS steps
        GROUP BY level, path[level]
        """,
        taxonomy=taxonomy_step(own),
    )


def meeting_node(own: str) -> exp.Expr:
    """Join condition: the node at which the paths of the lowest and the highest value meet."""
    return expression(
        ":level = _sqlanon_meet(:low, :high) AND :label = :low[_sqlanon_meet(:low, :high)]",
        level=column("level", f"nodes_{own}"),
        label=column("label", f"nodes_{own}"),
        low=column("path", f"low_{own}"),
        high=column("path", f"high_{own}"),
    )


def numbered_groups(published: list[str]) -> exp.Select:
    """Number the groups by what they publish. Groups that still tie publish the same, so their order tells nothing."""
    order = exp.Order(expressions=[exp.Ordered(this=column(name), desc=False, nulls_first=False) for name in published])
    number = exp.cast(exp.Window(this=exp.RowNumber(), order=order), "INTEGER")
    return (
        exp.select(exp.alias_(number, "group_id"), *(column(name) for name in published))
        .from_("groups")
        .order_by("group_id ASC", dialect="duckdb")
    )


def opened_groups(request: Release, columns: Columns) -> exp.Select:
    """One row per member, group by group, with values for codes."""
    exact = request.recode == "none"
    selected: list[exp.Expr] = [column("group_id")]
    selected += [exp.alias_(member_value(own), own) if exact else column(own) for own in columns.qi]
    selected += [exp.alias_(listed_values(own) if exact else member_value(own), own) for own in columns.sensitive]
    selected += [exp.alias_(member_value(own), own) for own in columns.kept]
    opened = exp.select("*", exp.alias_(exp.func("unnest", column("members")), "member")).from_("numbered")
    rows = exp.select(*selected).from_(opened.subquery("numbered"))
    if read_columns(request, columns):
        rows = rows.join("dictionary", join_type="cross", copy=False)
    return rows


def member_value(own: str) -> exp.Expr:
    """The value behind a member's code."""
    return expression(":listed[:code + 1]", listed=column(own, "dictionary"), code=field("member", own))


def listed_values(own: str) -> exp.Expr:
    """The sensitive values of a group, in the order of their codes."""
    return expression(
        "list_transform(:codes, lambda code: :listed[code + 1])",
        codes=column(secrets(own)),
        listed=column(own, "dictionary"),
    )


def released_rows(request: Release, columns: Columns) -> exp.Select:
    """The rows of the release under the users' names, once the promise is kept."""
    selected: list[exp.Expr] = [column("group_id", "opened")]
    order = [exp.to_identifier("group_id"), *map(identifier, columns.names.values())]
    for own, name in columns.names.items():
        value: exp.Expr = column(own, "opened")
        if request.recode == "none" and not own.startswith("keep_"):
            sensitive = own in columns.sensitive
            value = exact_list(request, own) if sensitive else exact_value(request, own, own in columns.taxonomy)
        selected.append(exp.alias_(value, identifier(name)))
    rows = (
        exp.select(*selected)
        .from_("opened")
        .join("promise", join_type="cross", copy=False)
        .where("promise.kept", copy=False)
    )
    if request.recode == "none":  # exact values as text have an order of their own
        rows = rows.order_by(*(exp.Ordered(this=exp.column(part), nulls_first=False, desc=False) for part in order))
    return rows


def exact_list(request: Release, own: str) -> exp.Expr:
    """A group's sensitive values, in the format asked for."""
    listed = column(own, "opened")
    return expression("_sqlanon_list_text(:listed)", listed=listed) if request.format == "text" else listed


def exact_value(request: Release, own: str, tree: bool) -> exp.Expr:
    """A row's own quasi-identifier, in the format asked for."""
    value = column(own, "opened")
    if request.format == "text":
        return exp.cast(value, "VARCHAR")
    if tree:
        return expression("_sqlanon_values(:value, :value, NULL)", value=value)
    return expression("_sqlanon_typed(:value, :value, :value, FALSE, NULL)", value=value)
