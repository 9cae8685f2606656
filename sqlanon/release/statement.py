"""The statement behind kanonymous and ldiverse, one CTE per step.

    source     the columns that were named, under our keys: qi_1 …, sa_1 …, keep_1 …, entity
    domain_*   a column's distinct values, each with its code: its rank, NULL last (no code for NULL as a wildcard)
    coded      the rows with codes for values
    assigned   the rows, in codes, and the group that the algorithm put each in; -1 is none, such a row stays behind.
               And, from algorithms that decide what is published, the level of each cell
    groups     one row per group: what it publishes for all its rows, and its members, sorted
    classes    the groups that publish the same quasi-identifiers as others, and the class that they are together
    promise    TRUE once every group and every class keeps the promise; raises otherwise, so that nothing leaves
    numbered   the groups, numbered in the order of what they publish

Columns that were not named are dropped in the first step and cannot come back. Rows are put in order group by
group: sorting the groups and unnesting their members takes a third of the memory that sorting the rows would.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.cells.cell import Cell
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import plain_value, wanted_columns
from sqlanon.statement.template import (
    Columns,
    Once,
    Role,
    Step,
    column,
    expression,
    field,
    identifier,
    query,
    struct,
    text,
    with_steps,
)
from sqlanon.taxonomies.taxonomy import automatic_steps, covered_paths, taxonomy_step, taxonomy_steps

from .algorithms import Publishes
from .promise import node_steps, promise, recount_steps
from .recode import group_steps, published_cells, released_rows, sorted_rows
from .request import Release
from .sensitive_trees import base_steps, described_base, generalized_columns

TREES: dict[Publishes, tuple[Role, ...]] = {
    Publishes.EXTENTS: (),
    Publishes.LEVELS: (Role.QI,),
    Publishes.SENSITIVE_LEVELS: (Role.QI, Role.SENSITIVE),
}
"""The columns that have a taxonomy in any case, by what an algorithm publishes."""


def release_statement(request: Release) -> exp.Select:
    """Build the statement that publishes a release."""
    columns = named_columns(request)
    cells = published_cells(request, columns)
    rows = released_rows(columns, cells)
    return with_steps(
        sorted_rows(columns, rows) if request.recode == "none" else rows, release_steps(request, columns, cells)
    )


def with_people_statement(request: Release) -> exp.Select:
    """Build the statement of the same release, row by row, with one column more: a number for each person, `entity`.

    For its owner, who measures people in what is published without them. Nothing is grouped or ordered by it.
    """
    assert request.entity is not None
    columns = named_columns(request)
    cells = published_cells(request, columns)
    rows = released_rows(columns, cells).select(exp.alias_(column("person", "opened"), identifier(request.entity)))
    return with_steps(
        sorted_rows(columns, rows) if request.recode == "none" else rows,
        release_steps(request, columns, cells, with_people=True),
    )


def release_steps(
    request: Release, columns: Columns, cells: Sequence[Cell], with_people: bool = False
) -> dict[str, Step]:
    """The steps from the user's table to the rows of a release."""
    return {
        **packing_steps(request, columns),
        "assigned": Once(assigned_rows(request)),
        **node_steps(columns),
        **group_steps(columns, cells, with_people),
        **recount_steps(request, columns),
        "promise": promise(request, columns),
    }


def outcome_statement(request: Release) -> exp.Select:
    """Build the statement that tells how TP fares, and publishes nothing."""
    outcome = query(
        """
        SELECT unnest(_sqlanon_tp_phases(:setting, packed.rows, described.columns)) FROM packed CROSS JOIN described
        """,
        setting=struct(setting_fields(request)),
    )
    return with_steps(outcome, packing_steps(request, named_columns(request)))


def levels_statement(request: Release) -> exp.Select:
    """Build the statement that lists full-domain recodings, and publishes nothing."""
    columns = named_columns(request)
    levels = struct(
        (
            columns.names[key],
            exp.cast(exp.func("list_extract", field("node", "levels"), exp.convert(number)), "INTEGER"),
        )
        for number, key in enumerate(columns.qi, 1)
    )
    searched = query(
        """
        SELECT unnest(_sqlanon_full_domain_levels(:setting, packed.rows, described.columns)) AS node
        FROM packed CROSS JOIN described
        """,
        setting=struct(setting_fields(request)),
    )
    measures = (exp.alias_(field("node", name), name) for name in ("gcp", "suppressed_rows"))
    nodes = exp.select(exp.alias_(levels, "levels"), *measures).from_(searched.subquery("nodes"))
    return with_steps(nodes, packing_steps(request, columns))


def packing_steps(request: Release, columns: Columns, labelled: bool = False) -> dict[str, Step]:
    """The steps from the user's table to one row that a kernel can read."""
    return {
        **taxonomy_steps(columns),
        "source": Once(source_rows(request, columns)),
        **automatic_steps(columns),
        **{f"domain_{key}": Once(domain(columns, key, codeless_null(request, columns, key))) for key in columns.coded},
        **base_steps(request, columns),
        "coded": coded_rows(columns),
        "packed": packed_rows(columns),
        "described": described_columns(columns, labelled),
    }


def named_columns(request: Release) -> Columns:
    """Give every column that was named a key."""
    made = dict.fromkeys(TREES[request.algorithm.publishes], request.bins)
    return Columns.of(request.qi, request.sa, request.keep, request.taxonomy, made, request.unpublished)


def source_rows(request: Release, columns: Columns) -> exp.Select:
    """The columns that were named, under our keys, and without the rows or the stars that `nulls` speaks of."""
    wanted = wanted_columns(request.tbl, request.caller, columns.coded)
    plain = {key: plain_value(key) for key in columns.coded}
    missing = {key: DUCKDB.is_wild(column(key, "wanted")) for key in columns.qi}
    if request.nulls == "wildcard":
        for key, wild in missing.items():
            plain[key] = exp.Case().when(wild, exp.null()).else_(plain[key])
    elif request.nulls == "exclude":
        wanted = wanted.where(exp.not_(exp.or_(*missing.values())), copy=False)
    return wanted.select(*(exp.alias_(value, key) for key, value in plain.items()), append=False)


def codeless_null(request: Release, columns: Columns, key: str) -> bool:
    """Whether NULL in this column is a wildcard: without a code, it is in no one's way."""
    return request.nulls == "wildcard" and key in columns.qi


def domain(columns: Columns, key: str, codeless: bool) -> exp.Select:
    """The distinct values of a column with their codes; along a taxonomy, subtrees stay together."""
    coded = _domain(columns, key)
    if not codeless:
        return coded
    path = ["path"] if key in columns.trees else []
    code = expression("CASE WHEN value IS NULL THEN NULL ELSE code END AS code")
    return exp.select("value", *path, code).from_(coded.subquery("numbered"))


def _domain(columns: Columns, key: str) -> exp.Select:
    occurring = query(
        "SELECT _sqlanon_spelling(:column, :column) AS value FROM source GROUP BY :column", column=column(key)
    ).subquery("occurring")
    if key not in columns.trees:
        return query(
            """
            SELECT value, CAST(row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS INTEGER) AS code
            FROM :occurring
            """,
            occurring=occurring,
        )
    # subtrees of a taxonomy that was made are ranges of values
    subtree = expression("_sqlanon_from_root(path)") if key in columns.taxonomy else column("value")
    return query(
        """
        SELECT value, path, CAST(row_number() OVER (
            ORDER BY :subtree ASC NULLS LAST, value ASC NULLS LAST
        ) - 1 AS INTEGER) AS code
        FROM :occurring LEFT JOIN :taxonomy ON path[1] = CAST(value AS VARCHAR)
        """,
        subtree=subtree,
        occurring=occurring,
        taxonomy=taxonomy_step(key),
    )


def coded_rows(columns: Columns) -> exp.Select:
    """Every value replaced by its code."""
    codes = (exp.alias_(column("code", f"domain_{key}"), key) for key in columns.coded)
    coded = exp.select(*codes).from_("source")
    for key in columns.coded:
        same = exp.NullSafeEQ(this=column(key, "source"), expression=column("value", f"domain_{key}"))
        coded = coded.join(f"domain_{key}", on=same, copy=False)
    return coded


def packed_rows(columns: Columns) -> exp.Select:
    """The whole table as one row: one list of structs keeps the columns of a row together."""
    row = struct((key, column(key)) for key in columns.coded)
    return query("SELECT list(:row) AS rows FROM coded", row=row)


def described_columns(columns: Columns, labelled: bool) -> exp.Select:
    """One row: what the algorithm has to know of each quasi-identifier, the types of sa, and which of keep are refused.

    `labelled`: and every value as text, but for columns with a taxonomy, which has the texts.
    """
    described = []
    for key in [*columns.qi, *columns.sensitive]:
        fields: dict[str, exp.Expr] = {
            "column": text(columns.names[key]),
            "role": text(columns.columns[key].role),
            "type": expression("typeof(any_value(value))"),
            "kind": expression("_sqlanon_kind(typeof(any_value(value)))"),
        }
        if key in generalized_columns(columns):
            fields |= described_base(key, columns.names[key])
        elif key in columns.trees:
            fields["domain"] = covered_paths(columns.names[key], expression("value IS NULL"))
            fields["taxonomy"] = query("SELECT list(path) FROM :paths", paths=taxonomy_step(key)).subquery()
            if key not in columns.taxonomy:
                fields["measures"] = expression("list(_sqlanon_measurable(value, value) ORDER BY code ASC)")
        elif key in columns.qi:
            fields["domain"] = expression("list(_sqlanon_measurable(value, value) ORDER BY code ASC)")
        if key in columns.qi and "entity" in columns.coded:  # groups that would be one class have to be known
            fields["missing"] = expression("any_value(code) FILTER (WHERE value IS NULL)")
            fields["star"] = expression("any_value(code) FILTER (WHERE CAST(value AS VARCHAR) = '*')")
        if labelled and key not in columns.taxonomy:
            fields["labels"] = expression("list(CAST(value AS VARCHAR) ORDER BY code ASC)")
        description = exp.select(struct(fields.items())).from_(f"domain_{key}")
        described.append((key, description.subquery()))
    described += ((key, kept_type(key, columns.names[key]).subquery()) for key in columns.kept)
    return exp.select(exp.alias_(struct(described), "columns"))


def kept_type(key: str, name: str) -> exp.Select:
    """One row: the description of a column that is published as it is; of any type, but for an ENUM deep inside."""
    return query(
        """
        SELECT {
            'column': :name,
            'role': 'keep',
            'type': typeof(any_value(value)),
            'kind': CASE WHEN _sqlanon_has_enum(typeof(any_value(value))) THEN 'with enum' ELSE 'kept' END
        }
        FROM :domain
        """,
        name=text(name),
        domain=f"domain_{key}",
    )


def assigned_rows(request: Release) -> exp.Select:
    """The whole table goes through the algorithm as one row, and comes back with a group for each row."""
    assigned = query(
        """
        SELECT unnest(rows) AS codes, unnest(:groups) AS grp
        FROM (
            SELECT packed.rows, _sqlanon_groups(:setting, packed.rows, described.columns) AS answer
            FROM packed CROSS JOIN described
        ) AS answered
        """,
        groups=field("answer", "groups"),
        setting=struct(setting_fields(request)),
    )
    levels = exp.alias_(exp.func("unnest", field("answer", "levels")), "levels")
    return assigned.select(levels, copy=False) if request.publishes_labels else assigned


def setting_fields(request: Release) -> list[tuple[str, exp.Expr]]:
    """The settings of a release, for the Arrow functions that group rows."""
    options = [
        (name, exp.convert(list(value) if isinstance(value, tuple) else value)) for name, value in request.options
    ]
    return [
        ("function", text(request.function)),
        ("algo", text(request.algo)),
        ("parameters", struct((name, exp.Literal.number(value)) for name, value in request.parameters)),
        ("seed", exp.convert(request.seed)),
        ("recode", text(request.recode)),
        ("options", struct(options) if options else exp.null()),
    ]
