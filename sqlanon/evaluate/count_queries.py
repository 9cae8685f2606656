"""Count queries, answered on source and release: both are packed into one row, in codes, for a function to read."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import WrongColumn
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import read_table
from sqlanon.statement.template import Columns, column, expression, query, struct, text

from .boxes import SA, points
from .request import Evaluation
from .workload import Workload


def count_query_error(request: Evaluation, columns: Columns) -> exp.Select:
    """One row per query."""
    assert request.workload is not None
    return query(
        """
        SELECT
            query_id, predicate, actual, estimate,
            abs(actual - estimate) / nullif(actual, 0) AS relative_error,
            dims
        FROM (
            SELECT unnest(answer)
            FROM (
                SELECT unnest(
                    _sqlanon_count_queries(:workload, :packed, :described, :classes, :cells, :predicates)
                ) AS answer
            ) AS answered
        ) AS answers
        """,
        workload=described_workload(request.workload),
        packed=packed_source(columns).subquery(),
        described=described_columns(columns),
        classes=packed_classes(columns).subquery(),
        cells=packed_cells(columns),
        predicates=user_queries(request.workload),
    )


def described_workload(workload: Workload) -> exp.Expr:
    """The settings of the Arrow function."""
    return struct(
        {
            "by_user": exp.convert(workload.predicates is not None),
            "dims": exp.array(*(exp.Literal.number(dims) for dims in workload.dims or (0,))),
            "queries": exp.Literal.number(workload.queries),
            "selectivity": exp.cast(exp.Literal.number(repr(workload.selectivity)), "DOUBLE"),
            "seed": exp.Literal.number(workload.seed),
        }.items()
    )


def packed_source(columns: Columns) -> exp.Select:
    """The distinct rows of the source as one list, in codes, with how many there are of each."""
    row = struct([*((key, column(f"at_{key}")) for key in columns.names), ("n", column("n"))])
    return query("SELECT list(:row) FROM :points", row=row, points=points(columns, chosen=False).subquery("points"))


def described_columns(columns: Columns) -> exp.Expr:
    """A struct for each column: its name, its type, its domain."""
    described = []
    for key, name in columns.names.items():
        described.append(
            (
                key,
                query(
                    """
                    SELECT {
                        'column': CAST(:name AS VARCHAR), 'type': type_name, 'kind': _sqlanon_kind(type_name),
                        'tree': :tree, 'size': (SELECT domain_size FROM :size),
                        'labels': (SELECT list(label ORDER BY code ASC) FROM :domain)
                    }
                    FROM (SELECT typeof(any_value(:column)) AS type_name FROM source) AS typed
                    """,
                    name=text(name),
                    tree=exp.convert(key in columns.taxonomy),
                    column=column(key),
                    domain=f"domain_{key}",
                    size=f"size_{key}",
                ).subquery(),
            )
        )
    return struct(described)


def packed_classes(columns: Columns) -> exp.Select:
    """The classes of the release as one list: their cells, by number, and how many rows hold which sensitive one."""
    held = query("SELECT count(*) AS n, :number - 1 AS value FROM released", number=column("number", f"published_{SA}"))
    held = held.select(*(column(key, "released") for key in columns.qi))
    held = held.join(f"published_{SA}", on=same_cell("released", SA), copy=False).group_by(*columns.qi, "value")
    each = exp.select(*columns.qi, expression("list({'value': value, 'n': n}) AS held")).from_(held.subquery("held"))
    classes = exp.select().from_(each.group_by(*columns.qi).subquery("classes"))
    fields: list[tuple[str, exp.Expr]] = [("held", column("held", "classes"))]
    for key in columns.qi:
        classes = classes.join(f"published_{key}", on=same_cell("classes", key), copy=False)
        fields.append((key, expression(":number - 1", number=column("number", f"published_{key}"))))
    return classes.select(expression("list(:row)", row=struct(fields)))


def same_cell(rows: str, key: str) -> exp.Expr:
    """Join condition: the published value that these rows have in a column."""
    return exp.NullSafeEQ(this=column(key, rows), expression=column("cell", f"published_{key}"))


def packed_cells(columns: Columns) -> exp.Expr:
    """Per column, the intervals of its cells as one list, by the numbers of the cells."""
    lists = (
        query(
            """
            SELECT list({'cell': number - 1, 'low': low, 'high': high, 'share': share} ORDER BY number ASC, low ASC)
            FROM :cells
            """,
            cells=f"cells_{key}",
        ).subquery()
        for key in columns.names
    )
    return struct(zip(columns.names, lists, strict=True))


def user_queries(workload: Workload) -> exp.Expr:
    """The user's conditions as one list, in the order of their table; query_id may be missing there."""
    if workload.predicates is None:
        return exp.null()
    absent = WrongColumn("there is no column 'predicate' in predicates.", "It holds a condition in each row.")
    return query(
        """
        SELECT list({'query_id': number, 'named': named, 'predicate': predicate} ORDER BY position ASC)
        FROM (
            SELECT
                CASE
                    WHEN regexp_full_match(CAST(matched.query_id AS VARCHAR), '-?[0-9]+(\\.0+)?')
                        THEN TRY_CAST(matched.query_id AS BIGINT)
                END AS number,
                NOT matched.query_id IS NULL AS named,
                CAST(matched.predicate AS VARCHAR) AS predicate,
                row_number() OVER () AS position
            FROM (
                SELECT :absent AS predicate, CAST(NULL AS BIGINT) AS query_id
            ) AS _sqlanon_absent
            CROSS JOIN LATERAL (SELECT query_id, predicate FROM (SELECT * FROM :predicates) AS tbl) AS matched
        ) AS numbered
        """,
        absent=DUCKDB.raise_error(absent, "VARCHAR"),
        predicates=read_table(workload.predicates, "predicates"),
    ).subquery()
