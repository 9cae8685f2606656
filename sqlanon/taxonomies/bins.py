"""Bins: the paths from the values of a column to the root of a tree that halves the number of bins level by level.

Sixteen bins are a tree with levels of 16, 8, 4 and 2 bins, and `*`. A bin is labelled by the closed range of the values
that occur in it, or by the value if it is one; so empty bins have no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.statement.template import column, expression, query, text


@dataclass(frozen=True)
class Binning:
    """How many bins there are, and which of them, from 0, a value is in.

    `number` may read value, frequency (rows that have it), measure (how far along its axis it lies), least and greatest
    (the ends of the axis, without infinities), total (all rows) and cuts.
    """

    bins: int
    number: exp.Expr
    cuts: exp.Expr = field(default_factory=exp.null)


def occurring_values(key: str) -> exp.Select:
    """The distinct values of a column of the step `source`, and the rows that have them. NULL is none."""
    return query(
        """
        SELECT _sqlanon_spelling(:column, :column) AS value, count(*) AS frequency
        FROM source WHERE NOT :column IS NULL GROUP BY :column
        """,
        column=column(key),
    )


def bin_paths(occurring: exp.Select, binning: Binning) -> exp.Select:
    """Every value with its path through the bins; `binning` numbers bins from 0. Categories get the flat tree."""
    levels = inner_levels(binning.bins)
    if levels == 0:
        return query(
            "SELECT value, [CAST(value AS VARCHAR), '*'] AS path FROM :occurring",
            occurring=occurring.subquery("occurring"),
        )
    return query(
        """
        WITH measured AS MATERIALIZED (
            SELECT value, frequency, _sqlanon_measure(type_name, _sqlanon_kind(type_name), label) AS measure
            FROM (
                SELECT value, frequency, typeof(value) AS type_name, CAST(value AS VARCHAR) AS label FROM :occurring
            ) AS typed
        ),
        axis AS (
            SELECT
                min(measure) FILTER (WHERE isfinite(measure)) AS least,
                max(measure) FILTER (WHERE isfinite(measure)) AS greatest,
                sum(frequency) AS total,
                :cuts AS cuts
            FROM measured
        ),
        numbered AS MATERIALIZED (
            SELECT value, :number AS bin FROM measured CROSS JOIN axis
        ),
        bins AS (
            SELECT bin, min(value) AS low, max(value) AS high FROM numbered GROUP BY bin
        )
        SELECT
            value,
            list_concat(
                [CAST(value AS VARCHAR)],
                CASE WHEN _sqlanon_kind(typeof(value)) = 'range' THEN labels ELSE ['*'] END
            ) AS path
        FROM numbered JOIN (SELECT bin, :labels AS labels FROM :ranges) AS labelled USING (bin)
        """,
        occurring=occurring.subquery("occurring"),
        number=binning.number,
        cuts=binning.cuts,
        ranges=bin_ranges(levels).subquery("ranges"),
        labels=exp.array(*(bin_label(level) for level in range(levels)), text("*")),
    )


def inner_levels(bins: int) -> int:
    """How often the number of bins can be halved before one bin, the root, is left.

    >>> [inner_levels(bins) for bins in (1, 2, 3, 4, 5, 16)]
    [0, 1, 2, 2, 3, 4]
    """
    return (bins - 1).bit_length()


def bin_ranges(levels: int) -> exp.Select:
    """The bins with the least and the greatest value of what they are part of on each level."""
    ranges = exp.select("bin").from_("bins")
    for level in range(levels):
        together = exp.convert(2**level)
        ranges = ranges.select(
            expression(f"min(low) OVER (PARTITION BY bin // :together) AS low_{level}", together=together),
            expression(f"max(high) OVER (PARTITION BY bin // :together) AS high_{level}", together=together),
            copy=False,
        )
    return ranges


def bin_label(level: int) -> exp.Expr:
    """The label of all values of a bin on a level."""
    return expression(f"_sqlanon_range_text('range', low_{level}, high_{level})")


def equal_width(bins: int) -> Binning:
    """Bins as wide as each other on the axis. The first has −infinity, the last infinity and NaN."""
    return Binning(bins, expression("_sqlanon_wide_bin(measure, least, greatest, :bins)", bins=exp.convert(bins)))


def equal_frequency(bins: int) -> Binning:
    """Bins with as many rows as each other, as far as equal values allow: the middle row of a value decides."""
    return Binning(
        bins,
        expression(
            """
            CAST(
                (2 * sum(frequency) OVER (ORDER BY value ASC NULLS LAST ROWS UNBOUNDED PRECEDING) - frequency)
                * :bins // (2 * total) AS BIGINT
            )
            """,
            bins=exp.convert(bins),
        ),
    )


def bins_between(cuts: Sequence[str], refused: InvalidParameter) -> Binning:
    """Bins that start at cuts, written as the column's values are; one that is no such value is refused."""
    return Binning(
        len(cuts) + 1,
        expression("_sqlanon_cut_bin(measure, cuts)"),
        expression(
            "_sqlanon_cuts(typeof(any_value(value)), :cuts, :refused)",
            cuts=exp.array(*map(text, cuts)),
            refused=text(str(refused)),
        ),
    )
