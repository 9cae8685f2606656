"""What groups publish: the quasi-identifiers recoded, in text or typed, and the order in which rows leave.

A group is known here only by the lowest and highest code of each quasi-identifier; the macros of
sql/write_cells.sql turn the values behind them into a range, a label, a star or a list.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.request.release import Release

from .taxonomy import taxonomy_step
from .template import Columns, column, expression, field, identifier, query, struct, text

LARGEST_LISTS = 100_000_000
"""Leaves that the lists of one typed column may hold together: they take some GB until they are written."""


def published_steps(request: Release, columns: Columns) -> dict[str, exp.Select]:
    """The steps from assigned rows to numbered groups, and what it takes to read their members' codes."""
    exact = request.recode == "none"
    steps = exact_groups(request, columns) if exact else recoded_groups(request, columns)
    published = [value_list(key) for key in columns.sensitive] if exact else columns.qi
    steps["numbered"] = numbered_groups([*published, "members"])
    if read := read_columns(request, columns):
        steps["dictionary"] = dictionary(read, listed_columns(request, columns))
    steps["opened"] = opened_groups(request, columns)
    return steps


def member_columns(request: Release, columns: Columns) -> list[str]:
    """What differs from row to row within a group. Exact quasi-identifiers never stand beside the row's own sa."""
    return [*(columns.qi if request.recode == "none" else columns.sensitive), *columns.kept]


def listed_columns(request: Release, columns: Columns) -> list[str]:
    """The quasi-identifiers that publish lists of leaves. Up to the last step, each list is known by its place."""
    listed = request.format == "typed" and request.recode == "generalize"
    return [key for key in columns.qi if key in columns.taxonomy] if listed else []


def read_columns(request: Release, columns: Columns) -> list[str]:
    """The columns whose codes are turned into values row by row."""
    of_groups = columns.sensitive if request.recode == "none" else listed_columns(request, columns)
    return [*member_columns(request, columns), *of_groups]


def members(request: Release, columns: Columns) -> exp.Expr:
    """The members of a group, sorted, so that their order tells nothing; the sort is by what is published only."""
    fields = [(key, field("codes", key)) for key in member_columns(request, columns)]
    member = struct(fields or [("row", exp.Literal.number(0))])
    return expression("_sqlanon_sorted(list(:member))", member=member)


def recoded_groups(request: Release, columns: Columns) -> dict[str, exp.Select]:
    """Groups that publish one recoded value per quasi-identifier, from the extent of its codes."""
    steps: dict[str, exp.Select] = {}
    spans = placed_groups("grp", exp.alias_(members(request, columns), "members"))
    groups = exp.select("spans.members").from_("spans")
    for key in columns.qi:
        tree = key in columns.taxonomy
        for end, extreme in (("low", "min"), ("high", "max")):
            side = f"{end}_{key}"
            spans = spans.select(exp.alias_(exp.func(extreme, field("codes", key)), side), copy=False)
            groups = groups.join(
                exp.alias_(exp.to_table(f"domain_{key}"), side, table=True),
                on=(exp.NullSafeEQ if request.nulls == "wildcard" else exp.EQ)(
                    this=column("code", side), expression=column(side, "spans")
                ),
                copy=False,
            )
        value = recoded_value(request, key, tree)
        if key in listed_columns(request, columns):
            steps[f"listed_{key}"] = listed_leaves(key, columns.names[key])
            steps[f"nodes_{key}"] = tree_nodes(key)
            nodes = exp.alias_(exp.to_table(f"nodes_{key}"), f"node_{key}", table=True)
            groups = groups.join(nodes, on=meeting_node(key), join_type="left", copy=False)
            value = column("place", f"node_{key}")
        groups = groups.select(exp.alias_(value, key), copy=False)
    return {"spans": spans, **steps, "groups": groups}


def exact_groups(request: Release, columns: Columns) -> dict[str, exp.Select]:
    """Groups that publish exact quasi-identifiers, and all their sensitive values in place of each row's own."""
    lists = (
        exp.alias_(expression("_sqlanon_sorted(list(:code))", code=field("codes", key)), value_list(key))
        for key in columns.sensitive
    )
    return {"groups": placed_groups(exp.alias_(members(request, columns), "members"), *lists)}


def placed_groups(*selected: str | exp.Expr) -> exp.Select:
    """The groups of the algorithm; rows that it placed nowhere are in none."""
    return exp.select(*selected).from_("assigned").where("grp >= 0").group_by("grp")


def value_list(key: str) -> str:
    """The name of the list of a group's values of a sensitive attribute."""
    return f"values_{key}"


def dictionary(read: list[str], listed: list[str]) -> exp.Select:
    """One row: the values of each column by code, or the lists of leaves by place, to read rows with."""
    lists = (exp.alias_((leaves_by_place if key in listed else values_by_code)(key).subquery(), key) for key in read)
    return exp.select(*lists)


def values_by_code(key: str) -> exp.Select:
    """One list: the values of a column."""
    return query("SELECT list(value ORDER BY code ASC) FROM :domain", domain=f"domain_{key}")


def leaves_by_place(key: str) -> exp.Select:
    """One list: the lists of leaves that a column may publish."""
    return query(
        """
        SELECT list(leaves ORDER BY place ASC)
        FROM (SELECT place, any_value(leaves) AS leaves FROM :nodes GROUP BY place) AS places
        """,
        nodes=f"nodes_{key}",
    )


def recoded_value(request: Release, key: str, tree: bool) -> exp.Expr:
    """What a group publishes for one quasi-identifier."""
    ends = {
        "low": column("value", f"low_{key}"),
        "high": column("value", f"high_{key}"),
    }
    paths = {"low": column("path", f"low_{key}"), "high": column("path", f"high_{key}")}
    suppress = request.recode == "suppress"
    if request.format == "text":
        if suppress:
            return expression("_sqlanon_star_text(:low, :high)", **ends)
        if tree:
            return expression("_sqlanon_label_text(:low, :high)", **paths)
        return expression("_sqlanon_range_text(_sqlanon_kind(typeof(:low)), :low, :high)", **ends)
    if not tree:
        return expression("_sqlanon_typed(:low, :low, :high, :exact)", exact=exp.convert(suppress), **ends)
    return expression("_sqlanon_values(:low, :high)", **ends)


def listed_leaves(key: str, name: str) -> exp.Select:
    """One row: TRUE if all lists that the column would publish fit in memory. Counted before there is any list."""
    too_long = InvalidParameter(
        f"format 'typed' would list too many leaves of the taxonomy of column {name!r}.",
        "Use format 'text', or a taxonomy with fewer leaves.",
    )
    return query(
        """
        SELECT CASE WHEN sum(size * leaf_count) > :most THEN error(:too_long) ELSE TRUE END AS fit
        FROM (
            SELECT min(:code) AS low_code, max(:code) AS high_code, count(*) AS size
            FROM assigned
            WHERE grp >= 0
            GROUP BY grp
        ) AS extents
        JOIN :domain AS low ON low.code = low_code
        JOIN :domain AS high ON high.code = high_code
        JOIN (SELECT level, label, count(*) AS leaf_count FROM :labels GROUP BY level, label) AS nodes
            ON level = _sqlanon_level(low.path, high.path) AND label = _sqlanon_label_text(low.path, high.path)
        """,
        most=exp.Literal.number(LARGEST_LISTS),
        too_long=text(str(too_long)),
        code=field("codes", key),
        domain=f"domain_{key}",
        labels=labelled_leaves(key).subquery("labelled"),
    )


def tree_nodes(key: str) -> exp.Select:
    """Every node of a taxonomy and `*`, with the sorted list that it publishes, and the place of this among all lists.

    Level 1 is the leaf itself, and `*` has level 0.
    """
    return query(
        """
        SELECT level, label, leaves, CAST(dense_rank() OVER (ORDER BY leaves ASC) - 1 AS INTEGER) AS place
        FROM (
            SELECT level, label, list(leaf ORDER BY leaf ASC) AS leaves
            FROM :labels CROSS JOIN :listed
            WHERE fit
            GROUP BY level, label
            UNION ALL SELECT 0, '*', ['*']
        ) AS nodes
        """,
        labels=labelled_leaves(key).subquery("labelled"),
        listed=f"listed_{key}",
    )


def labelled_leaves(key: str) -> exp.Select:
    """Every leaf of a taxonomy beside each label above it, and itself, but for `*`, which is published as such."""
    return query(
        """
        SELECT path[1] AS leaf, level, path[level] AS label
        FROM (SELECT path, unnest(range(1, len(path) + 1)) AS level FROM :taxonomy) AS steps
        WHERE path[level] <> '*'
        """,
        taxonomy=taxonomy_step(key),
    )


def meeting_node(key: str) -> exp.Expr:
    """Join condition: the node at which the paths of the lowest and the highest value meet."""
    return expression(
        ":level = _sqlanon_level(:low, :high) AND :label = _sqlanon_label_text(:low, :high)",
        level=column("level", f"node_{key}"),
        label=column("label", f"node_{key}"),
        low=column("path", f"low_{key}"),
        high=column("path", f"high_{key}"),
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
    listed = listed_columns(request, columns)
    if exact:
        selected += [exp.alias_(member_value(key), key) for key in columns.qi]
    else:
        selected += [exp.alias_(list_at(key), key) if key in listed else column(key, "numbered") for key in columns.qi]
    selected += [exp.alias_(listed_values(key) if exact else member_value(key), key) for key in columns.sensitive]
    selected += [exp.alias_(member_value(key), key) for key in columns.kept]
    opened = exp.select("*", exp.alias_(exp.func("unnest", column("members")), "member")).from_("numbered")
    rows = exp.select(*selected).from_(opened.subquery("numbered"))
    if read_columns(request, columns):
        rows = rows.join("dictionary", join_type="cross", copy=False)
    return rows


def member_value(key: str) -> exp.Expr:
    """The value behind a member's code."""
    return expression(":listed[:code + 1]", listed=column(key, "dictionary"), code=field("member", key))


def list_at(key: str) -> exp.Expr:
    """The list of leaves that a group publishes."""
    return expression(":lists[:place + 1]", lists=column(key, "dictionary"), place=column(key, "numbered"))


def listed_values(key: str) -> exp.Expr:
    """The sensitive values of a group, in the order of their codes."""
    return expression(
        "list_transform(:codes, lambda code: :listed[code + 1])",
        codes=column(value_list(key)),
        listed=column(key, "dictionary"),
    )


def released_rows(request: Release, columns: Columns) -> exp.Select:
    """The rows of the release under the users' names, once the promise is kept."""
    selected: list[exp.Expr] = [column("group_id", "opened")]
    order = [exp.to_identifier("group_id"), *map(identifier, columns.names.values())]
    for key, name in columns.names.items():
        value: exp.Expr = column(key, "opened")
        if request.recode == "none" and key not in columns.kept:
            sensitive = key in columns.sensitive
            value = exact_list(request, key) if sensitive else exact_value(request, key, key in columns.taxonomy)
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


def exact_list(request: Release, key: str) -> exp.Expr:
    """A group's sensitive values, in the format asked for."""
    listed = column(key, "opened")
    return expression("_sqlanon_list_text(:listed)", listed=listed) if request.format == "text" else listed


def exact_value(request: Release, key: str, tree: bool) -> exp.Expr:
    """A row's own quasi-identifier, in the format asked for."""
    value = column(key, "opened")
    if request.format == "text":
        return exp.cast(value, "VARCHAR")
    if tree:
        return expression("_sqlanon_values(:value, :value)", value=value)
    return expression("_sqlanon_typed(:value, :value, :value, FALSE)", value=value)
