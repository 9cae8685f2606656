"""Bins: the paths from the values of a column to the root of a tree that halves the number of bins level by level.

Sixteen bins are a tree with levels of 16, 8, 4 and 2 bins, and `*`. A bin is labelled by the closed range of the values
that occur in it, or by the value if it is one; so empty bins have no label. How values get into bins is an expression
over the columns of `measured` and `axis`: value, frequency (rows that have it), measure (how far along its axis it
lies), least and greatest (the ends of the axis, without infinities).
"""

from __future__ import annotations

from sqlglot import exp

from .template import column, expression, query, text


def occurring_values(key: str) -> exp.Select:
    """The distinct values of a column of the step `source`, and the rows that have them. NULL is none."""
    return query(
        """
        SELECT _sqlanon_spelling(:column, :column) AS value, count(*) AS frequency
        FROM source WHERE NOT :column IS NULL GROUP BY :column
        """,
        column=column(key),
    )


def flat_paths(occurring: exp.Select) -> exp.Select:
    """The tree of one level: every value below the root."""
    return query(
        "SELECT value, [CAST(value AS VARCHAR), '*'] AS path FROM :occurring", occurring=occurring.subquery("occurring")
    )


def bin_paths(occurring: exp.Select, place: exp.Expr, bins: int) -> exp.Select:
    """Every value with its path through the bins; `place` numbers bins from 0. Categories get the flat tree."""
    return query(
        """
        WITH measured AS MATERIALIZED (
            SELECT value, frequency, _sqlanon_measure(type_name, _sqlanon_kind(type_name), label) AS measure
            FROM (
                SELECT value, frequency, typeof(value) AS type_name, CAST(value AS VARCHAR) AS label FROM :occurring
            ) AS typed
        ),
        axis AS (
            SELECT min(measure) AS least, max(measure) AS greatest FROM measured WHERE isfinite(measure)
        ),
        placed AS MATERIALIZED (
            SELECT value, :place AS place FROM measured CROSS JOIN axis
        ),
        bins AS (
            SELECT place, min(value) AS low, max(value) AS high FROM placed GROUP BY place
        )
        SELECT
            value,
            list_concat(
                [CAST(value AS VARCHAR)],
                CASE WHEN _sqlanon_kind(typeof(value)) = 'range' THEN labels ELSE ['*'] END
            ) AS path
        FROM placed JOIN (SELECT place, :labels AS labels FROM :ranges) AS labelled USING (place)
        """,
        occurring=occurring.subquery("occurring"),
        place=place,
        ranges=bin_ranges(inner_levels(bins)).subquery("ranges"),
        labels=exp.array(*(bin_label(level) for level in range(inner_levels(bins))), text("*")),
    )


def inner_levels(bins: int) -> int:
    """How often the number of bins can be halved before one bin, the root, is left.

    >>> [inner_levels(bins) for bins in (1, 2, 3, 4, 5, 16)]
    [0, 1, 2, 2, 3, 4]
    """
    return (bins - 1).bit_length()


def bin_ranges(levels: int) -> exp.Select:
    """The bins with the least and the greatest value of what they are part of on each level."""
    ranges = exp.select("place").from_("bins")
    for level in range(levels):
        together = exp.convert(2**level)
        ranges = ranges.select(
            expression(f"min(low) OVER (PARTITION BY place // :together) AS low_{level}", together=together),
            expression(f"max(high) OVER (PARTITION BY place // :together) AS high_{level}", together=together),
            copy=False,
        )
    return ranges


def bin_label(level: int) -> exp.Expr:
    """What all values of a bin are called on a level."""
    return expression(f"_sqlanon_range_text('range', low_{level}, high_{level})")


def equal_width(bins: int) -> exp.Expr:
    """Bins as wide as each other on the axis. The first has −infinity, the last infinity and NaN."""
    return expression("_sqlanon_wide_bin(measure, least, greatest, :bins)", bins=exp.convert(bins))
