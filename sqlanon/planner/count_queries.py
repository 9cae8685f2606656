"""Count queries, answered on source and release: both are packed into one row, in codes, for a function to read."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import WrongColumn
from sqlanon.request.evaluation import Evaluation
from sqlanon.request.workload import Workload

from .domains import labels
from .sensitive import SA, published_values
from .source import read_table
from .template import Columns, column, expression, query, struct, text


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
            SELECT unnest(answer) FROM (
                SELECT unnest(_sqlanon_count_queries(:asked, :packed, :described, :classes, :secrets, :own)) AS answer
            ) AS answered
        ) AS answers
        """,
        asked=asked(request.workload),
        packed=packed_source(columns).subquery(),
        described=described_columns(columns),
        classes=packed_classes(columns).subquery(),
        secrets=packed_secrets(columns).subquery(),
        own=own_queries(request.workload),
    )


def published_secrets(columns: Columns) -> exp.Select:
    """The distinct published values of the sensitive attribute, numbered.

    Each may be a list of values, in either format; or low … high are its code, or the leaves below the label of a
    taxonomy that it is. Texts are compared as the column compares them.
    """
    return query(
        """
        SELECT
            found.cell, found.label, node.low, node.high, row_number() OVER (ORDER BY found.cell ASC) - 1 AS code,
            CASE WHEN typed THEN items END AS items
        FROM :lists AS found LEFT JOIN :nodes AS node ON node.label = found.label
        """,
        lists=published_values(columns.names[SA]).subquery(),
        nodes=labels(columns, SA),
    )


def asked(workload: Workload) -> exp.Expr:
    """What the function has to do."""
    return struct(
        {
            "given": exp.convert(workload.predicates is not None),
            "dims": exp.array(*(exp.Literal.number(dims) for dims in workload.dims or (0,))),
            "queries": exp.Literal.number(workload.queries),
            "selectivity": exp.cast(exp.Literal.number(repr(workload.selectivity)), "DOUBLE"),
            "seed": exp.Literal.number(workload.seed),
        }.items()
    )


def packed_source(columns: Columns) -> exp.Select:
    """The distinct rows of the source as one list, in codes, with how many there are of each."""
    coded = exp.select("count(*) AS n").from_("source")
    for own in columns.names:
        value = exp.cast(column(own, "source"), "VARCHAR") if own in columns.taxonomy else column(own, "source")
        key = column("label" if own in columns.taxonomy else "value", f"domain_{own}")
        coded = coded.join(f"domain_{own}", on=exp.NullSafeEQ(this=value, expression=key), copy=False)
        code = column("code", f"domain_{own}")
        coded = coded.select(exp.alias_(code, own), copy=False).group_by(code.copy(), copy=False)
    row = struct((own, column(own)) for own in [*columns.names, "n"])
    return query("SELECT list(:row) FROM :coded", row=row, coded=coded.subquery("coded"))


def described_columns(columns: Columns) -> exp.Expr:
    """What the function has to know of each column: its name, its type, its domain."""
    described = []
    for own, name in columns.names.items():
        described.append(
            (
                own,
                query(
                    """
                    SELECT {
                        'column': CAST(:name AS VARCHAR), 'type': type_name, 'kind': _sqlanon_kind(type_name),
                        'tree': :tree, 'size': (SELECT domain_size FROM :size),
                        'labels': (SELECT list(label ORDER BY code ASC) FROM :listed),
                        'in_order': (SELECT :in_order FROM :listed)
                    }
                    FROM (SELECT typeof(any_value(:column)) AS type_name FROM source) AS typed
                    """,
                    name=text(name),
                    tree=exp.convert(own in columns.taxonomy),
                    column=column(own),
                    listed=f"domain_{own}",
                    in_order=codes_in_order(own in columns.taxonomy),
                    size=f"size_{own}",
                ).subquery(),
            )
        )
    return struct(described)


def codes_in_order(tree: bool) -> exp.Expr:
    """The codes of a domain in the order of its values: queries are drawn along it, whatever a release lists."""
    return expression(
        "list(code ORDER BY code ASC)" if tree else "list(code ORDER BY value IS NULL ASC, label = '*' ASC, value ASC)"
    )


def packed_classes(columns: Columns) -> exp.Select:
    """The classes of the release as one list: what they cover in each column, and the sensitive values they hold."""
    held = query("SELECT cells.code AS value, count(*) AS n FROM released").join(
        exp.alias_(exp.to_table(f"cells_{SA}"), "cells", table=True),
        on=exp.NullSafeEQ(this=column(SA, "released"), expression=column("cell", "cells")),
        copy=False,
    )
    held = held.select(*(column(own, "released") for own in columns.qi)).group_by(*columns.qi, "cells.code")
    each = exp.select(*columns.qi, "list({'value': value, 'n': n}) AS held").from_(held.subquery("held"))
    classes = exp.select().from_(each.group_by(*columns.qi).subquery("each"))
    fields: list[tuple[str, exp.Expr]] = []
    for own in columns.qi:
        same = exp.NullSafeEQ(this=column(own, "each"), expression=column("cell", f"cells_{own}"))
        classes = classes.join(f"cells_{own}", on=same, copy=False)
        fields += [(f"{end}_{own}", column(end, f"cells_{own}")) for end in ("low", "high")]
    return classes.select(expression("list(:row)", row=struct([*fields, ("held", column("held", "each"))])))


def packed_secrets(columns: Columns) -> exp.Select:
    """The published sensitive values as one list, in the order of their numbers."""
    return query(
        "SELECT list({'label': label, 'items': items, 'low': low, 'high': high} ORDER BY code ASC) FROM :cells",
        cells=f"cells_{SA}",
    )


def own_queries(workload: Workload) -> exp.Expr:
    """The user's conditions as one list, in the order of their table; query_id may be missing there."""
    if workload.predicates is None:
        return exp.null()
    absent = WrongColumn("there is no column 'predicate' in predicates.", "It holds a condition in each row.")
    return query(
        """
        SELECT list({'query_id': number, 'named': named, 'predicate': predicate} ORDER BY place ASC)
        FROM (
            SELECT
                CASE
                    WHEN regexp_full_match(CAST(found.query_id AS VARCHAR), '-?[0-9]+(\\.0+)?')
                        THEN TRY_CAST(found.query_id AS BIGINT)
                END AS number,
                NOT found.query_id IS NULL AS named,
                CAST(found.predicate AS VARCHAR) AS predicate,
                row_number() OVER () AS place
            FROM (
                SELECT CAST(error(:absent) AS VARCHAR) AS predicate, CAST(NULL AS BIGINT) AS query_id
            ) AS _sqlanon_absent
            CROSS JOIN LATERAL (SELECT query_id, predicate FROM (SELECT * FROM :given) AS tbl) AS found
        ) AS own
        """,
        absent=text(str(absent)),
        given=read_table(workload.predicates, "predicates"),
    ).subquery()
