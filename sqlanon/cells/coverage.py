"""The codes of their domains that published values cover: see domains.py, also for `column_number`.

published_*  the distinct published values (cells) of a column, with their rows, numbered, and their parts, which
             sql/read_cells.sql reads
parts        the parts of all cells, a row for each text in them, and what the source has of that name
intervals    the parts of all cells: the codes low … high that each covers, and its share of the cell
cells        the cells of all columns: how many codes they cover, whether they are stars, and their ncp
cells_*      those of one column, as they are in the release: a row per interval of codes, low … high, with its share

A cell covers one interval of codes (a value, a range, the leaves below a label, everything), or several (a list).
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch
from sqlanon.statement.engine import DUCKDB, blank
from sqlanon.statement.template import Columns, Once, Step, column, expression, query, union

from .domains import ColumnNumbers, domain_steps, name_of_column, number, value_steps
from .parts import open_parts

OUTSIDE = ReleaseMismatch(
    f"column {blank('name')!r} of rel has a value that lies outside the domain of src.",
    "Is it the source of this release, and are the taxonomies those that it was published with?",
)
"""A published value that the source cannot have led to."""


def cell_steps(columns: Columns) -> dict[str, Step]:
    """The steps from source and release to the domains and cells of the quasi-identifiers and the sensitive one."""
    numbers = {key: column_number for column_number, key in enumerate([*columns.qi, *columns.sensitive], 1)}
    return {
        **value_steps(columns, numbers),
        **{
            f"published_{key}": Once(published_cells(columns, key, column_number))
            for key, column_number in numbers.items()
        },
        "parts": Once(union(looked_up_parts(columns, key, column_number) for key, column_number in numbers.items())),
        **domain_steps(columns, numbers),
        "intervals": Once(intervals(columns, numbers)),
        "cells": Once(measured_cells()),
        **{f"cells_{key}": Once(cells_of_column(key, column_number)) for key, column_number in numbers.items()},
    }


def published_cells(columns: Columns, key: str, column_number: int) -> exp.Select:
    """The distinct published values: their rows and their parts, and how many values a typed list of a qi has."""
    return query(
        """
        SELECT
            cell, n, :listed AS listed, row_number() OVER (ORDER BY cell ASC) AS number,
            _sqlanon_cell_parts(
                list_extract(kinds, :column_number), _sqlanon_labels_at(labels, :column_number), cell
            ) AS parts
        FROM (SELECT :column AS cell, CAST(sum(n) AS BIGINT) AS n FROM :tallied GROUP BY :column) AS published
        CROSS JOIN kinds
        """,
        column=column(key),
        column_number=number(column_number),
        tallied="classes" if key in columns.qi else query("SELECT *, 1 AS n FROM released").subquery("released"),
        listed=expression("_sqlanon_listed(cell)" if key in columns.qi else "CAST(NULL AS BIGINT)"),
    )


def looked_up_parts(columns: Columns, key: str, column_number: int) -> exp.Select:
    """The parts of the cells, a row for each text in them: the rank of the value, or the leaves below the label.

    Texts are compared here, where they are compared as the column compares them. `*` in a quasi-identifier is looked up
    in lists only: a publisher may have written it for anything.
    """
    known: dict[str, exp.Expr | str] = {
        "known": f"values_{key}",
        "rank": column("rank", "known"),
        "low": exp.null(),
        "high": exp.null(),
    }
    if key in columns.taxonomy:
        known = {
            "known": f"nodes_{key}",
            "rank": expression("CASE WHEN known.level = 1 THEN known.low END"),
            "low": expression("CASE WHEN labelled THEN known.low END"),
            "high": expression("CASE WHEN labelled THEN known.high END"),
        }
    is_known = "known.label = item" if key in columns.sensitive else "known.label = item AND (item <> '*' OR size > 1)"
    return query(
        """
        SELECT
            texts.*, :column_number AS column_number, :rank AS rank,
            CAST(:low AS BIGINT) AS label_low, CAST(:high AS BIGINT) AS label_high
        FROM (SELECT * EXCLUDE (cell, part), unnest(part) AS item FROM :opened) AS texts
        LEFT JOIN :known AS known ON :is_known
        """,
        column_number=number(column_number),
        opened=open_parts(f"published_{key}").subquery("opened"),
        is_known=expression(is_known),
        **known,
    )


def intervals(columns: Columns, numbers: ColumnNumbers) -> exp.Select:
    """The parts in codes. SA301 for what the source cannot have led to.

    Ends of a range need not occur themselves. One that does occur is known by its text: two numbers beyond 2^53 may
    have the same measure. NULL, which is the last code, may also stand for the `*` of a source without NULL.
    """
    return query(
        """
        SELECT
            column_number, number, n, size, star, missing, lo, hi, lo_text, hi_text, low, high,
            NOT listed IS NULL AND size > 1 AND size >= whole AS whole_list
        FROM (
            SELECT
                placed.*,
                CASE
                    WHEN star THEN 0
                    WHEN missing THEN CASE WHEN known < domain_size THEN domain_size - 1 END
                    ELSE coalesce(low_end, label_low, first.code)
                END AS low,
                CASE
                    WHEN star OR missing THEN domain_size - 1
                    ELSE coalesce(high_end, label_high, last.code)
                END AS high
            FROM (
                SELECT
                    looked_up.*, known, domain_size, whole,
                    is_star AND low_end IS NULL AS star,
                    labelled AND lo_text IS NULL AS missing,
                    _sqlanon_measure(type_name, kind, lo_text) AS lo,
                    _sqlanon_measure(type_name, kind, hi_text) AS hi
                FROM (
                    SELECT
                        parts.column_number, number, ordinal,
                        any_value(n) AS n, any_value(listed) AS listed, any_value(size) AS size,
                        any_value(labelled) AS labelled, any_value(is_star) AS is_star,
                        any_value(low_text) AS lo_text, any_value(high_text) AS hi_text,
                        any_value(label_low) AS label_low, any_value(label_high) AS label_high,
                        min(code) FILTER (WHERE item = low_text) AS low_end,
                        max(code) FILTER (WHERE item = high_text) AS high_end
                    FROM parts
                    LEFT JOIN domains ON domains.column_number = parts.column_number AND domains.rank = parts.rank
                    GROUP BY parts.column_number, number, ordinal
                ) AS looked_up
                JOIN sizes ON sizes.column_number = looked_up.column_number
            ) AS placed
            ASOF LEFT JOIN domains AS first ON placed.column_number = first.column_number AND placed.lo <= first.measure
            ASOF LEFT JOIN domains AS last ON placed.column_number = last.column_number AND placed.hi >= last.measure
        ) AS covered
        WHERE CASE WHEN coalesce(low <= high, FALSE) THEN TRUE ELSE :outside END
        """,
        outside=DUCKDB.raise_error(OUTSIDE, name=name_of_column(columns, numbers)),
    )


def measured_cells() -> exp.Select:
    """The cells, with what they cover and lose. The loss of a list of numbers is that of the range that it spans."""
    return query(
        """
        SELECT
            cell.column_number, number, n, star, domain_size,
            CASE WHEN star THEN domain_size ELSE covered END AS covered,
            CASE
                WHEN star THEN 1.0e0
                WHEN covered = 1 AND (kind <> 'range' OR lo_text = hi_text OR missing) THEN 0.0e0
                WHEN kind = 'tree' THEN CAST(covered AS DOUBLE) / known
                WHEN isfinite(lo) AND isfinite(hi) AND NOT missing THEN least(1.0e0, :share)
                ELSE 1.0e0
            END AS ncp
        FROM (
            SELECT
                column_number, number, any_value(n) AS n, bool_or((star AND size = 1) OR whole_list) AS star,
                bool_or(missing) AS missing,
                CASE
                    WHEN any_value(size) = 1 THEN any_value(high - low + 1)
                    ELSE len(list_distinct(flatten(list(range(low, high + 1)) FILTER (WHERE size > 1))))
                END AS covered,
                arg_min(lo, low) AS lo, arg_max(hi, high) AS hi,
                arg_min(lo_text, low) AS lo_text, arg_max(hi_text, high) AS hi_text
            FROM intervals
            GROUP BY column_number, number
        ) AS cell
        JOIN sizes ON sizes.column_number = cell.column_number
        """,
        share=share_of_range(),
    )


def share_of_range() -> exp.Expr:
    """How much of a column's range lies between the ends of a cell.

    Where measures are rounded, the digits are subtracted. Else it is done in halves, which do not overflow. In the
    statement and not in a macro: a macro of ours does not call functions of ours, see connection.
    """
    return expression(
        """
        coalesce(
            CASE
                WHEN type_name LIKE 'DECIMAL%' OR type_name = 'TIMESTAMP_NS'
                    OR abs(struct_extract(sizes.least, 'measure')) + abs(struct_extract(greatest, 'measure'))
                        >= 9007199254740992
                    THEN _sqlanon_exact_share(
                        _sqlanon_digits(type_name, lo_text),
                        _sqlanon_digits(type_name, hi_text),
                        _sqlanon_digits(type_name, struct_extract(sizes.least, 'label')),
                        _sqlanon_digits(type_name, struct_extract(greatest, 'label'))
                    )
            END,
            (hi / 2 - lo / 2)
                / nullif(struct_extract(greatest, 'measure') / 2 - struct_extract(sizes.least, 'measure') / 2, 0),
            0
        )
        """
    )


def cells_of_column(key: str, column_number: int) -> exp.Select:
    """The cells of one column. Codes of a list that are neighbours, and as likely as each other, are one interval."""
    return query(
        """
        SELECT any_value(cell) AS cell, number, min(low) AS low, max(high) AS high, sum(share) AS share
        FROM (
            SELECT *, low - sum(high - low + 1) OVER (
                PARTITION BY number, share / (high - low + 1) ORDER BY low ASC ROWS UNBOUNDED PRECEDING
            ) AS run
            FROM (
                SELECT
                    any_value(cell) AS cell, cells.number,
                    CASE WHEN cells.star THEN 0 ELSE low END AS low,
                    CASE WHEN cells.star THEN domain_size - 1 ELSE high END AS high,
                    count(*) / CAST(any_value(size) AS DOUBLE) AS share
                FROM :published AS published
                JOIN cells ON cells.column_number = :column_number AND cells.number = published.number
                JOIN intervals ON intervals.column_number = :column_number AND intervals.number = published.number
                GROUP BY cells.number, 3, 4
            ) AS weighted
        ) AS runs
        GROUP BY number, run, share / (high - low + 1)
        """,
        published=f"published_{key}",
        column_number=number(column_number),
    )
