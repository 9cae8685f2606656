"""What the published values of columns cover, in codes of their domains: see there, also for `place`.

found_*      the distinct published values (cells) of a column, with their rows, numbered and taken apart
listing      the cells of all columns, taken apart: the values that they list, and which of the source's these are
cells        the cells of all columns, each with what it covers: codes low … high, and its ncp
cells_*      those of one column

What is published always covers neighbours: a range, the leaves below a label, one value, everything, or a list, for
which the domain has its order. So two codes say it all.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch

from .domains import OUTLINE, Places, domain_steps, naming, number, union, value_steps
from .template import Columns, Once, Step, column, expression, query


def cell_steps(columns: Columns, coded: Sequence[str]) -> dict[str, Step]:
    """The steps from source and classes to the domains of these columns and the cells of the quasi-identifiers."""
    places = {own: place for place, own in enumerate(coded, 1)}
    published = {own: places[own] for own in columns.qi}
    return {
        **value_steps(columns, places),
        **{f"found_{own}": Once(found_cells(own, place)) for own, place in published.items()},
        "listing": Once(union(listed_values(columns, own, place) for own, place in published.items())),
        **domain_steps(columns, places),
        "cells": Once(measured_cells(columns, places)),
        **{f"cells_{own}": Once(own_cells(own, place)) for own, place in published.items()},
    }


def found_cells(own: str, place: int) -> exp.Select:
    """The distinct published values: their rows, their ends, and the values they list."""
    return query(
        """
        SELECT
            cell, n, items,
            row_number() OVER () AS number,
            _sqlanon_cell_ends(list_extract(kinds, :place), cell, items) AS ends
        FROM (
            SELECT cell, n, _sqlanon_cell_items(cell) AS items
            FROM (SELECT :column AS cell, CAST(sum(n) AS BIGINT) AS n FROM classes GROUP BY :column) AS published
        ) AS told
        CROSS JOIN kinds
        """,
        column=column(own),
        place=number(place),
    )


def listed_values(columns: Columns, own: str, place: int) -> exp.Select:
    """The cells, a row for each value that they list, or for both ends; and the leaves below the label that they are.

    Texts are compared here, where they are compared as the column compares them. An empty list has NULL for its ends.
    """
    known: dict[str, exp.Expr | str] = {
        "known": f"values_{own}",
        "rank": column("rank", "known"),
        "low": exp.null(),
        "high": exp.null(),
    }
    if own in columns.taxonomy:
        known = {
            "known": f"nodes_{own}",
            "rank": expression("CASE WHEN known.level = 1 THEN known.low END"),
            "low": expression("CASE WHEN item = ends[1] THEN known.low END"),
            "high": expression("CASE WHEN item = ends[1] THEN known.high END"),
        }
    return query(
        """
        SELECT
            number, n, missing, items, ends, item, :place AS place, :rank AS rank,
            CAST(:low AS BIGINT) AS label_low, CAST(:high AS BIGINT) AS label_high
        FROM (
            SELECT
                number, n, cell IS NULL AS missing, items, ends,
                unnest(CASE WHEN len(items) > 0 THEN items ELSE ends END) AS item
            FROM :found
        ) AS listing
        LEFT JOIN :known AS known ON known.label = listing.item
        """,
        place=number(place),
        found=f"found_{own}",
        **known,
    )


def measured_cells(columns: Columns, places: Places) -> exp.Select:
    """The cells, with what they cover and lose. SA301 for what the source cannot have led to."""
    return query(
        """
        SELECT
            place, number, n, star,
            CASE WHEN star THEN 0 WHEN missing THEN domain_size - 1 ELSE low END AS low,
            CASE WHEN star OR missing THEN domain_size - 1 ELSE high END AS high,
            CASE
                WHEN star THEN 1.0e0
                WHEN missing THEN 0.0e0
                WHEN kind <> 'tree' THEN ncp
                WHEN low = high THEN 0.0e0
                ELSE CAST(high - low + 1 AS DOUBLE) / known
            END AS ncp
        FROM :covered
        WHERE CASE
            WHEN (star AND told) OR (missing AND known < domain_size) THEN TRUE
            WHEN NOT star AND coalesce(low <= high, FALSE) THEN TRUE
            ELSE error(:outside)
        END
        """,
        covered=covered_cells().subquery("covered"),
        outside=naming(outside(OUTLINE), columns, places),
    )


def covered_cells() -> exp.Select:
    """The cells with the codes between their ends, which need not occur themselves.

    An end that does occur is known by its text: two numbers beyond 2^53 may have the same measure.
    """
    return query(
        """
        SELECT
            placed.*,
            coalesce(told_low, label_low, first.code) AS low,
            coalesce(told_high, label_high, last.code) AS high,
            CASE
                WHEN ends[1] = ends[2] THEN 0.0e0
                WHEN isfinite(lo) AND isfinite(hi)
                    THEN least(1.0e0, :share)
                ELSE 1.0e0
            END AS ncp
        FROM (
            SELECT
                listed.*, kind, type_name, domain_size, known, least, greatest,
                NOT missing AND CASE
                    WHEN items IS NULL THEN ends[1] IS NULL AND ends[2] IS NULL
                    ELSE len(items) > 1 AND len(items) >= whole
                END AS star,
                _sqlanon_measure(type_name, kind, ends[1]) AS lo,
                _sqlanon_measure(type_name, kind, ends[2]) AS hi,
                CASE
                    WHEN NOT ends[1] IS NULL THEN low_end
                    WHEN kind <> 'range' AND neighbours THEN least_code
                END AS told_low,
                CASE
                    WHEN NOT ends[1] IS NULL THEN high_end
                    WHEN kind <> 'range' AND neighbours THEN greatest_code
                END AS told_high
            FROM :listed AS listed
            JOIN sizes ON sizes.place = listed.place
        ) AS placed
        ASOF LEFT JOIN domains AS first ON placed.place = first.place AND placed.lo <= first.measure
        ASOF LEFT JOIN domains AS last ON placed.place = last.place AND placed.hi >= last.measure
        """,
        listed=listed_cells().subquery(),
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
                    OR abs(struct_extract(placed.least, 'measure')) + abs(struct_extract(greatest, 'measure'))
                        >= 9007199254740992
                    THEN _sqlanon_exact_share(
                        _sqlanon_digits(type_name, ends[1]),
                        _sqlanon_digits(type_name, ends[2]),
                        _sqlanon_digits(type_name, struct_extract(placed.least, 'label')),
                        _sqlanon_digits(type_name, struct_extract(greatest, 'label'))
                    )
            END,
            (hi / 2 - lo / 2)
                / nullif(struct_extract(greatest, 'measure') / 2 - struct_extract(placed.least, 'measure') / 2, 0),
            0
        )
        """
    )


def listed_cells() -> exp.Select:
    """The cells of all columns, with the codes of the values that they list, or that are their ends."""
    return query(
        """
        SELECT
            listing.place, number,
            any_value(n) AS n, any_value(missing) AS missing, any_value(items) AS items, any_value(ends) AS ends,
            any_value(label_low) AS label_low, any_value(label_high) AS label_high,
            min(code) AS least_code, max(code) AS greatest_code,
            min(code) FILTER (WHERE item = ends[1]) AS low_end,
            max(code) FILTER (WHERE item = ends[2]) AS high_end,
            count(code) = count(*) AND max(code) - min(code) + 1 = count(*) AS neighbours,
            count(code) = count(item) AS told
        FROM listing
        LEFT JOIN domains ON domains.place = listing.place AND domains.rank = listing.rank
        GROUP BY listing.place, number
        """
    )


def own_cells(own: str, place: int) -> exp.Select:
    """The cells of one column, as they are in the release."""
    return query(
        """
        SELECT cell, low, high
        FROM :found AS found
        JOIN cells ON cells.place = :place AND cells.number = found.number
        """,
        found=f"found_{own}",
        place=number(place),
    )


def outside(name: str) -> str:
    """The error of a published value that the source cannot have led to."""
    return str(
        ReleaseMismatch(
            f"column {name!r} of rel has a value that lies outside the domain of src.",
            "Is it the source of this release, and are the taxonomies those that it was published with?",
        )
    )
