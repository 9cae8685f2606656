"""What the published values of a column cover, in codes of its domain: see domains.

    found_*      the distinct published values (cells), with their rows, taken apart
    listed_*     those that list values, with the codes of these
    cells_*      the cells, each with what it covers: codes low … high, and its ncp

What is published always covers neighbours: a range, the leaves below a label, one value, everything, or a list, for
which the domain has its order. So two codes say it all.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch

from .domains import domain_steps
from .template import Columns, column, query, text


def cell_steps(columns: Columns, own: str) -> dict[str, exp.Select]:
    """The steps from source and classes to the cells of one quasi-identifier."""
    covered = labelled_cells(own) if own in columns.taxonomy else ranged_cells(own)
    return {
        **domain_steps(columns, own),
        f"found_{own}": found_cells(own),
        f"listed_{own}": listed_cells(own),
        f"cells_{own}": measured_cells(covered, columns.names[own]),
    }


def found_cells(own: str) -> exp.Select:
    """The distinct published values: their rows, ends, the values they list, whether they tell nothing; and size_*."""
    return query(
        """
        SELECT
            *,
            _sqlanon_cell_ends(kind, cell) AS ends,
            _sqlanon_cell_items(cell) AS items,
            _sqlanon_is_star(cell, whole) AS star
        FROM (SELECT :column AS cell, CAST(sum(n) AS BIGINT) AS n FROM classes GROUP BY :column) AS published
        CROSS JOIN :size
        """,
        column=column(own),
        size=f"size_{own}",
    )


def listed_cells(own: str) -> exp.Select:
    """The codes of the values that cells list, or that are their ends."""
    return query(
        """
        SELECT
            cell, told,
            CASE WHEN ended THEN low_end WHEN neighbours THEN low END AS low,
            CASE WHEN ended THEN high_end WHEN neighbours THEN high END AS high
        FROM (
            SELECT
                cell, min(code) AS low, max(code) AS high,
                bool_or(NOT low_end IS NULL) AS ended,
                min(code) FILTER (WHERE item = low_end) AS low_end,
                max(code) FILTER (WHERE item = high_end) AS high_end,
                count(code) = count(*) AND max(code) - min(code) + 1 = count(*) AS neighbours,
                count(code) = count(item) AS told
            FROM (
                SELECT cell, ends[1] AS low_end, ends[2] AS high_end, unnest(coalesce(items, ends)) AS item FROM :found
            ) AS listing
            LEFT JOIN :domain AS leaf ON leaf.label = listing.item
            GROUP BY cell
        ) AS listings
        """,
        found=f"found_{own}",
        domain=f"domain_{own}",
    )


def measured_cells(covered: exp.Select, name: str) -> exp.Select:
    """The cells, with what they cover and lose. SA301 for what the source cannot have led to."""
    return query(
        """
        SELECT
            cell, n, star, domain_size,
            CASE WHEN star THEN 0 WHEN cell IS NULL THEN domain_size - 1 ELSE low END AS low,
            CASE WHEN star OR cell IS NULL THEN domain_size - 1 ELSE high END AS high,
            CASE WHEN star THEN 1.0e0 WHEN cell IS NULL THEN 0.0e0 ELSE ncp END AS ncp
        FROM :covered
        WHERE CASE
            WHEN (star AND told) OR (cell IS NULL AND known < domain_size) THEN TRUE
            WHEN NOT star AND coalesce(low <= high, FALSE) THEN TRUE
            ELSE error(:outside)
        END
        """,
        covered=covered.subquery("covered"),
        outside=text(outside(name)),
    )


def ranged_cells(own: str) -> exp.Select:
    """Cells of a column without a taxonomy: the values between two ends, which need not occur themselves.

    An end that does occur is known by its text: two numbers beyond 2^53 may have the same measure.
    """
    return query(
        """
        SELECT
            cell, n, star, told, known, domain_size,
            coalesce(told_low, first.code) AS low,
            coalesce(told_high, last.code) AS high,
            CASE
                WHEN ends[1] = ends[2] THEN 0.0e0
                WHEN isfinite(lo) AND isfinite(hi) AND span > 0
                    THEN least(1.0e0, _sqlanon_distance(witness, ends[1], ends[2], lo, hi) / span)
                WHEN isfinite(lo) AND isfinite(hi) THEN 0.0e0
                ELSE 1.0e0
            END AS ncp
        FROM (
            SELECT
                found.*,
                _sqlanon_measure(witness, ends[1]) AS lo,
                _sqlanon_measure(witness, ends[2]) AS hi,
                CASE WHEN kind = 'category' OR NOT ends[1] IS NULL THEN listed.low END AS told_low,
                CASE WHEN kind = 'category' OR NOT ends[1] IS NULL THEN listed.high END AS told_high,
                coalesce(listed.told, TRUE) AS told
            FROM :found AS found
            LEFT JOIN :listed AS listed ON listed.cell = found.cell
        ) AS placed
        ASOF LEFT JOIN :domain AS first ON placed.lo <= first.measure
        ASOF LEFT JOIN :domain AS last ON placed.hi >= last.measure
        """,
        found=f"found_{own}",
        domain=f"domain_{own}",
        listed=f"listed_{own}",
    )


def labelled_cells(own: str) -> exp.Select:
    """Cells of a column with a taxonomy: the leaves below a label, or those that are listed."""
    return query(
        """
        SELECT *, CASE WHEN low = high THEN 0.0e0 ELSE CAST(high - low + 1 AS DOUBLE) / known END AS ncp
        FROM (
            SELECT
                found.*,
                coalesce(listed.low, node.low) AS low,
                coalesce(listed.high, node.high) AS high,
                coalesce(listed.told, TRUE) AS told
            FROM :found AS found
            LEFT JOIN :nodes AS node ON node.label = found.ends[1]
            LEFT JOIN :listed AS listed ON listed.cell = found.cell
        ) AS placed
        """,
        found=f"found_{own}",
        nodes=f"nodes_{own}",
        listed=f"listed_{own}",
    )


def outside(name: str) -> str:
    """The error of a published value that the source cannot have led to."""
    return str(
        ReleaseMismatch(
            f"column {name!r} of rel has a value that lies outside the domain of src.",
            "Is it the source of this release, and are the taxonomies those that it was published with?",
        )
    )
