"""Cells taken apart in DuckDB with sqlanon loaded: either format, taxonomies, errors of our own."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import SqlanonError
from sqlanon.planner.template import expression, query, taxonomy_step, text

from .cells import Used, is_unclear, unclear_value, unknown_label


class Here:
    """DuckDB with sqlanon loaded: either format, taxonomies, errors of our own."""

    def told(self, used: Used) -> dict[str, exp.Select]:
        """Steps from published_* to told_* and stars_*."""
        own = used.own
        found = query(
            """
            SELECT *, _sqlanon_ranged(cell, ends) AS ranged
            FROM (
                SELECT
                    cell, _sqlanon_listed(cell) AS items, _sqlanon_cell_ends('range', cell) AS ends,
                    coalesce(_sqlanon_is_star(cell, NULL), FALSE) AS star
                FROM :published
            ) AS cells
            """,
            published=f"published_{own}",
        )
        if is_unclear(used):
            found = found.where(
                expression(
                    "CASE WHEN typeof(cell) = 'VARCHAR' AND NOT items IS NULL THEN :fail IS NULL ELSE TRUE END",
                    fail=self.fail(unclear_value(used)),
                )
            )
        told = query(
            """
            SELECT
                cell, ranged, pieces, label,
                CASE WHEN alone THEN ends[1] ELSE label END AS low_text,
                CASE WHEN alone THEN ends[2] ELSE label END AS high_text
            FROM (SELECT *, len(texts) AS pieces, unnest(texts) AS label FROM :texts) AS opened
            """,
            texts=(leaves(own, used) if used.tree else texts(own)).subquery("listed"),
        )
        stars = query("SELECT cell FROM :found WHERE star", found=f"found_{own}")
        steps = {f"nodes_{own}": leaves_of_labels(own)} if used.tree else {}
        return {**steps, f"found_{own}": found, f"told_{own}": told, f"stars_{own}": stars}

    def may_be(self, cell: exp.Expr, plain: exp.Expr) -> exp.Expr:
        """Whether a cell of text may have a value; `plain` says it of a single one."""
        return expression("_sqlanon_may_be(:cell, :plain)", cell=cell, plain=plain)

    def is_number(self, value: exp.Expr) -> exp.Expr:
        return expression("_sqlanon_is_number(:value)", value=value)

    def is_time(self, value: exp.Expr) -> exp.Expr:
        return expression("_sqlanon_is_time(:value)", value=value)

    def number(self, value: exp.Expr, wrong: SqlanonError) -> exp.Expr:
        """Text as a number."""
        return expression(
            "CASE WHEN _sqlanon_is_number(:value) THEN CAST(:value AS DOUBLE) WHEN NOT :value IS NULL THEN :fail END",
            value=value,
            fail=self.fail(wrong),
        )

    def days(self, value: exp.Expr, wrong: SqlanonError) -> exp.Expr:
        """Text as days since 1970."""
        return expression(
            """
            CASE
                WHEN _sqlanon_is_time(:value) THEN _sqlanon_measure(CAST(NULL AS TIMESTAMP), :value) / 86400000000
                WHEN NOT :value IS NULL THEN :fail
            END
            """,
            value=value,
            fail=self.fail(wrong),
        )

    def too_fine(self) -> exp.Expr:
        """Whether an end of a range, or a value, has more digits than can be compared."""
        return expression("_sqlanon_too_fine(low_text) OR _sqlanon_too_fine(high_text)")

    def fail(self, error: SqlanonError, _: str = "") -> exp.Expr:
        return expression("CAST(error(:message) AS DOUBLE)", message=text(str(error)))

    def step_values(self, ranges: exp.Select, _: str) -> exp.Select:
        """Every whole number from low to high, a row each."""
        return query(
            "SELECT *, unnest(range(CAST(low AS BIGINT), CAST(high AS BIGINT) + 1)) AS step FROM :ranges",
            ranges=ranges.subquery("ranges"),
        )

    def step_text(self, time: bool) -> exp.Expr:
        step = "DATE '1970-01-01' + CAST(step AS INTEGER)" if time else "step"
        return expression(f"CAST({step} AS VARCHAR)")

    def shown(self, cell: exp.Expr, label: exp.Expr) -> exp.Expr:
        """A value of GROUP BY, in a type as close to the source's as the release shows."""
        return expression("_sqlanon_like(:cell, :label)", cell=cell, label=label)


def texts(own: str) -> exp.Select:
    """Per cell, the values that it lists, or itself; none of a star.

    Nor are stars filtered out: DuckDB would ask every row of the release, not every cell, whether it is one.
    """
    return query(
        """
        SELECT
            cell, ranged, ends, items IS NULL AS alone,
            CASE WHEN NOT star THEN coalesce(items, [CAST(cell AS VARCHAR)]) END AS texts
        FROM :found
        """,
        found=f"found_{own}",
    )


def leaves(own: str, used: Used) -> exp.Select:
    """Per cell, the values that it lists, or the leaves below its label; none of a star."""
    return query(
        """
        SELECT cell, ranged, ends, FALSE AS alone, CASE
            WHEN star THEN NULL
            WHEN cell IS NULL THEN [NULL]
            WHEN NOT items IS NULL THEN items
            WHEN NOT leaves IS NULL THEN leaves
            ELSE error(:unknown)
        END AS texts
        FROM :found AS found
        LEFT JOIN :nodes AS node ON node.node = CAST(found.cell AS VARCHAR)
        """,
        found=f"found_{own}",
        nodes=f"nodes_{own}",
        unknown=text(str(unknown_label(used))),
    )


def leaves_of_labels(own: str) -> exp.Select:
    """Every label of a taxonomy with the leaves below it; one that occurs on several levels stands for its lowest."""
    return query(
        """
        SELECT label AS node, arg_min(leaves, level) AS leaves
        FROM (
            SELECT level, path[level] AS label, list(DISTINCT path[1]) AS leaves
            FROM (SELECT path, unnest(range(1, len(path) + 1)) AS level FROM :taxonomy) AS steps
            GROUP BY level, path[level]
        ) AS levels
        GROUP BY label
        """,
        taxonomy=taxonomy_step(own),
    )
