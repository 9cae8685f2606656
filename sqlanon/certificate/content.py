"""The content hash of a table, which depends on neither the order of its rows nor the format of its file.

described    one row: the names of the columns, their types, their order by name, and where group_id is
texts        every row as the list of its cells' texts
row_hashes   the hash of every row
content      one row: how many rows and groups there are, whether groups are numbered without gaps, the hash
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.statement.source import StepName, read_table_for
from sqlanon.statement.template import Once, Step, expression, identifier, query, text, with_steps
from sqlanon.taxonomies.taxonomy import checked_paths

RELEASE = StepName("release")
"""The step that has the whole release, read once."""


def content_statement(rel: str) -> exp.Select:
    """One row: what a table is, whatever it promises."""
    steps = {RELEASE: release_step(rel), **content_steps()}
    return with_steps(
        query(
            """
            SELECT content_hash, row_count AS "rows", groups, complete, :columns AS columns
            FROM content CROSS JOIN described
            """,
            columns=column_outlines(),
        ),
        steps,
    )


def heading_statement(rel: str) -> exp.Select:
    """One row: the columns of a table and their types; no row of it is read."""
    heading = Once(release_step(rel).query.limit(0, copy=False))
    selected = exp.select(exp.alias_(column_outlines(), "columns")).from_("described")
    return with_steps(selected, {RELEASE: heading, "described": Once(name_columns())})


def release_step(rel: str, types: Sequence[tuple[str, str]] = ()) -> Once:
    """The release as it is. `types`: columns that were read as text, and the types that they had."""
    typed = [
        exp.alias_(
            exp.TryCast(this=exp.column(identifier(name)), to=exp.DataType.build(kind, dialect="duckdb")),
            identifier(name),
        )
        for name, kind in types
    ]
    star = exp.Star(replace=typed) if typed else exp.Star()
    table = exp.alias_(read_table_for("certify", rel, "rel"), "rel", table=True)
    return Once(exp.select(star).from_(table, copy=False))


def types_statement(rel: str, types: Sequence[tuple[str, str]]) -> exp.Select:
    """One row: of each column that is text here and had another type, whether all of its cells can be of that type.

    Each has to give its own text back: two texts that become one value, or NULL, would make classes larger than they
    are. A moment has a text in every time zone.
    """
    kept = exp.array(*(expression("coalesce(bool_and(:cell), TRUE)", cell=keeps_type(*each)) for each in types))
    table = exp.alias_(read_table_for("certify", rel, "rel"), "rel", table=True)
    return exp.select(exp.alias_(kept, "kept")).from_(table, copy=False)


def keeps_type(name: str, kind: str) -> exp.Expr:
    """Whether a cell is NULL, or the text of a value of this type."""
    column = exp.column(identifier(name))
    typed = exp.TryCast(this=column, to=exp.DataType.build(kind, dialect="duckdb"))
    if "TIME ZONE" in kind:
        return expression("(:column IS NULL OR NOT :typed IS NULL)", column=column, typed=typed)
    return expression(
        "(:column IS NULL OR coalesce(CAST(:typed AS VARCHAR) = :column, FALSE))", column=column, typed=typed
    )


def content_steps() -> dict[str, Step]:
    """The steps from `release` to `content`."""
    return {
        "described": Once(name_columns()),
        "texts": texts(),
        "row_hashes": row_hashes(),
        "content": Once(content()),
    }


def column_outlines() -> exp.Expr:
    """The columns in the order of the table, with their types."""
    return expression(
        """
        list_transform(
            names, lambda name, number: {'name': name, 'type': _sqlanon_type_outline(list_extract(types, number))}
        )
        """
    )


def name_columns() -> exp.Select:
    """Names and types are known when the statement is bound: no row is read."""
    return query(
        """
        SELECT
            names, types, _sqlanon_by_name(names) AS by_name,
            list_position(list_transform(names, lambda name: lower(name)), 'group_id') AS group_column
        FROM (SELECT [*COLUMNS(*)] AS names FROM (SELECT alias(COLUMNS(*)) FROM :headed) AS named) AS all_names
        CROSS JOIN (SELECT [*COLUMNS(*)] AS types FROM (SELECT typeof(COLUMNS(*)) FROM :headed) AS typed) AS all_types
        """,
        headed=query(
            "SELECT any_value(COLUMNS(*)) FROM (SELECT * FROM :release LIMIT 0) AS none", release=RELEASE
        ).subquery("headed"),
    )


def texts() -> exp.Select:
    """Every cell as text."""
    return query(
        """
        SELECT [*COLUMNS(*)] AS cells
        FROM (
            SELECT _sqlanon_content_text(COLUMNS(*), COLUMNS(*)) FROM :release
        ) AS each
        """,
        release=RELEASE,
    )


def row_hashes() -> exp.Select:
    """One hash for each row, with the columns in the order of their names."""
    return query(
        """
        SELECT _sqlanon_content_row(list_select(cells, by_name)) AS row_hash
        FROM (
            SELECT [*COLUMNS(*)] AS cells
            FROM (
                SELECT _sqlanon_content_cell(_sqlanon_content_text(COLUMNS(*), COLUMNS(*))) FROM :release
            ) AS each
        ) AS written
        CROSS JOIN described
        """,
        release=RELEASE,
    )


def content() -> exp.Select:
    """One row. Groups are complete if they are numbered from 1 without gaps; NULL where there is no group_id."""
    return query(
        """
        SELECT
            row_count,
            CASE WHEN group_column > 0 THEN group_count END AS groups,
            CASE
                WHEN group_column > 0 THEN
                    row_count = numbered AND (row_count = 0 OR last_group = group_count)
            END AS complete,
            _sqlanon_content_hash(
                row_count,
                list_transform(list_select(names, by_name), lambda name: _sqlanon_content_cell(name)),
                (SELECT hashes FROM :hashes)
            ) AS content_hash
        FROM described
        CROSS JOIN (
            SELECT
                count(*) AS row_count, count(group_number) AS numbered, count(DISTINCT group_number) AS group_count,
                max(group_number) AS last_group
            FROM (
                SELECT _sqlanon_group_number(list_extract(cells, group_column)) AS group_number
                FROM texts CROSS JOIN described
            ) AS numbered_rows
        ) AS counted
        """,
        hashes=combine_hashes("row_hashes").subquery("together"),
    )


def combine_hashes(rows: str) -> exp.Select:
    """One row: the hashes of all buckets, in order; NULL where there are no rows."""
    return query(
        """
        SELECT string_agg(bucket || bucket_hash, '' ORDER BY bucket ASC) AS hashes
        FROM (
            SELECT
                _sqlanon_content_bucket(row_hash) AS bucket, _sqlanon_content_together(list(row_hash)) AS bucket_hash
            FROM :rows
            GROUP BY _sqlanon_content_bucket(row_hash)
        ) AS buckets
        """,
        rows=rows,
    )


def taxonomy_hash(table: str, name: str) -> exp.Select:
    """One row: the hash of the taxonomy of a column: of its paths, whatever the names of its levels."""
    rows = query(
        """
        SELECT _sqlanon_content_row(list_transform(path, lambda label: _sqlanon_content_cell(label))) AS row_hash
        FROM :paths
        """,
        paths=checked_paths(table, name).subquery("paths"),
    )
    return with_steps(
        query(
            """
            SELECT _sqlanon_content_hash((SELECT count(*) FROM paths), CAST([] AS VARCHAR[]), hashes) AS hash
            FROM :hashes
            """,
            hashes=combine_hashes("paths").subquery("together"),
        ),
        {"paths": Once(rows)},
    )


def taxonomy_hashes(taxonomy: Sequence[tuple[str, str]]) -> exp.Expr:
    """A map from column to the hash of its taxonomy."""
    names = exp.array(*(text(name) for name, _ in taxonomy))
    hashes = exp.array(*(taxonomy_hash(table, name).subquery() for name, table in taxonomy))
    return expression("CAST(map(:names, :hashes) AS MAP(VARCHAR, VARCHAR))", names=names, hashes=hashes)
