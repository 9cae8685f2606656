"""DuckDB with sqlanon loaded: either format, taxonomies, errors of our own. Macros of sql/read_cells.sql read cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.cells.parts import open_parts, positions, refuse_nested_type
from sqlanon.errors import SqlanonError
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import checked_columns, wanted_columns
from sqlanon.statement.template import column as our_column
from sqlanon.statement.template import expression, query, text
from sqlanon.taxonomies.taxonomy import checked_paths, leaves_below, taxonomy_step

from .columns import QueryColumn
from .comparability import instant, refusals_of_numbers, refusals_of_texts, refusals_of_times, single
from .reader import Reader, Refusal, double
from .refusals import no_value_of, too_fine, unclear_value, unknown_label
from .regions import Regions

MEASURED = {"number": "number", "time": "days"}
"""The axes of a query's constants, in the words of cells/parts."""
FEW = 8
"""Texts that are compared one by one."""


class DuckDBReader(Reader):
    """For DuckDB; `taxonomies` are tables by folded names of columns."""

    engine = DUCKDB

    def __init__(self, taxonomies: Mapping[str, str]) -> None:
        self.taxonomies = taxonomies

    def rows(self, rel: str, columns: Mapping[str, str]) -> exp.Select:
        return checked_columns(rel, "estimate", columns, "rel")

    def may_be(self, cell: exp.Expr, texts: Sequence[str]) -> exp.Expr:
        """A few texts are compared while DuckDB scans, which it does not do for IN."""
        plain: exp.Expr = exp.In(this=cell, expressions=[*map(text, texts)])
        if len(texts) <= FEW:
            plain = exp.or_(*(exp.EQ(this=cell.copy(), expression=text(each)) for each in texts))
        return expression("_sqlanon_may_be(:cell, :plain)", cell=cell.copy(), plain=plain)

    def published_cells(self, column: QueryColumn, rel: str, filtered: bool) -> exp.Query:
        """All rows are read only if there is a star, or if rows that may count do not show all that is sought."""
        cells = query("SELECT DISTINCT :cell AS cell FROM classes", cell=our_column(column.alias))
        if not filtered:
            return cells
        cell = our_column(column.alias, "classes")
        needed = expression("EXISTS(SELECT 1 FROM classes WHERE _sqlanon_is_star(:cell))", cell=cell)
        if sought := column.sought_texts:
            shown = exp.In(this=exp.cast(cell.copy(), "VARCHAR"), expressions=[*map(text, sought)])
            missing = expression(
                f"(SELECT count(DISTINCT :cell) FROM classes WHERE :shown) < {len(sought)}", cell=cell, shown=shown
            )
            needed = exp.or_(needed, missing)
        every = query(
            "SELECT cell FROM :rows WHERE :needed",
            rows=self.rows(rel, {"cell": column.name}).subquery("released"),
            needed=needed,
        )
        return exp.union(cells, every, distinct=True, copy=False)

    def is_recoded(self, column: QueryColumn, rel: str) -> exp.Query:
        """Groups of one row publish values as they stand. A release without group_id does not show its groups.

        Numbers and dates that are grouped by, and compared with nothing, are not taken for labels.
        """
        columns = {"group_id": "group_id", "cell": column.name}
        is_plain = expression(
            "_sqlanon_is_star(low) OR NOT TRY_CAST(low AS DOUBLE) IS NULL OR NOT _sqlanon_days(low) IS NULL"
        )
        return query(
            """
            SELECT
                coalesce(count(group_id) > 0 AND max(size) > 1 AND NOT bool_or(low <> high) AND :named, FALSE)
                    AS recoded
            FROM (
                SELECT group_id, count(*) AS size, min(label) AS low, max(label) AS high
                FROM (SELECT group_id, CAST(cell AS VARCHAR) AS label FROM :rows) AS labels
                GROUP BY group_id
            ) AS groups
            """,
            named=expression("bool_or(NOT (:is_plain))", is_plain=is_plain)
            if column.regions.axis == "open"
            else exp.true(),
            rows=wanted_columns(rel, "estimate", columns, argument="rel", optional="group_id").subquery("every_row"),
        )

    def item_steps(self, column: QueryColumn) -> dict[str, exp.Query]:
        alias = column.alias
        read = query(
            """
            SELECT
                *, type_name LIKE '%]' OR len(parts) > 1 AS listed, _sqlanon_scale(type_name) AS type_scale,
                type_name = 'VARCHAR' AND len(parts) = 1 AS alone,
                _sqlanon_is_measured_type(rtrim(type_name, '[]')) AS measured
            FROM (
                SELECT
                    cell, _sqlanon_cell_type_name(cell, cell) AS type_name, _sqlanon_is_star(cell) AS star,
                    _sqlanon_cell_parts(cell) AS parts
                FROM :published
            ) AS cells
            WHERE :not_nested
            """,
            published=f"published_{alias}",
            not_nested=refuse_nested_type(our_column("cell"), column.name),
        )
        if column.unclear:
            lists = expression("type_name = 'VARCHAR' AND len(parts) > 1")
            read = read.where(self.guard([(lists, unclear_value(column))]), copy=False)
        # skip empty lists
        ended = query(
            """
            SELECT
                * EXCLUDE (low_text, high_text),
                coalesce(low_text, label) AS low_text, coalesce(high_text, label) AS high_text
            FROM (
                SELECT *, CASE WHEN labelled THEN low_text ELSE CAST(cell AS VARCHAR) END AS label
                FROM :opened
                WHERE NOT star AND (labelled OR NOT listed)
            ) AS texts
            """,
            opened=open_parts(self._below(column) if column.taxonomy else f"read_{alias}").subquery("opened"),
        )
        items = self._placed_ends(column, ended)
        if column.regions.axis not in MEASURED:
            items = query(
                "SELECT *, :ranged AS ranged FROM :items", items=items.subquery("placed_ends"), ranged=is_ranged()
            )
        stars = query("SELECT cell FROM :read WHERE star", read=f"read_{alias}")
        taxonomy = self._taxonomy_steps(column) if column.taxonomy else {}
        return {**taxonomy, f"read_{alias}": read, f"items_{alias}": items, f"stars_{alias}": stars}

    def _placed_ends(self, column: QueryColumn, rows: exp.Select) -> exp.Select:
        """Rows with the positions of their ends: as numbers, as days, or both, as the query's constants have it."""
        known = MEASURED.get(column.regions.axis)
        axes = positions(MEASURED.values() if known is None else [known], "type_scale")
        return exp.select("*", *axes).from_(rows.subquery("ended"), copy=False)

    def _taxonomy_steps(self, column: QueryColumn) -> dict[str, exp.Query]:
        """The paths of a taxonomy, and every label with the leaves below it."""
        leaves = query(
            "SELECT label AS node, list([leaf]) AS leaves FROM :below GROUP BY label",
            below=leaves_below(column.alias).subquery("below"),
        )
        paths = checked_paths(self.taxonomies[fold(column.name)], column.name)
        return {taxonomy_step(column.alias): paths, f"leaves_{column.alias}": leaves}

    def _below(self, column: QueryColumn) -> exp.Select:
        """Per cell, the values that it lists, or the leaves below its label."""
        return query(
            """
            SELECT cell, star, listed, type_name, type_scale, measured, alone, CASE
                WHEN star OR listed OR cell IS NULL THEN parts
                WHEN NOT leaves IS NULL THEN leaves
                ELSE :unknown
            END AS parts
            FROM :read AS read
            LEFT JOIN :leaves AS node ON node.node = CAST(read.cell AS VARCHAR)
            """,
            read=f"read_{column.alias}",
            leaves=f"leaves_{column.alias}",
            unknown=self.engine.raise_error(unknown_label(column)),
        )

    def leaves(self, column: QueryColumn) -> exp.Select | None:
        if not column.taxonomy:
            return None
        leaves = query(
            """
            SELECT label, label AS low_text, label AS high_text, 'exact' AS type_scale
            FROM (SELECT DISTINCT path[1] AS label FROM :taxonomy) AS paths
            """,
            taxonomy=taxonomy_step(column.alias),
        )
        return self._placed_ends(column, leaves)

    def is_number(self, end: str) -> exp.Expr:
        return expression(f"NOT {end}_number IS NULL")

    def is_time(self, end: str) -> exp.Expr:
        return expression(f"NOT {end}_days IS NULL")

    def is_day(self, end: str) -> exp.Expr:
        return expression(f"NOT contains({end}_text, ':')")

    def number(self, column: QueryColumn, end: str) -> exp.Expr:
        return self._known(f"{end}_number", f"{end}_text", no_value_of(column, "number"))

    def days(self, column: QueryColumn, end: str) -> exp.Expr:
        return self._known(f"{end}_days", f"{end}_text", no_value_of(column, "date"))

    def _known(self, position: str, label: str, error: SqlanonError) -> exp.Expr:
        return expression(
            f"CASE WHEN {position} IS NULL AND NOT {label} IS NULL THEN :fail ELSE {position} END",
            fail=self.fail(error),
        )

    def scale(self) -> exp.Expr:
        """`single` for FLOAT, `double` for DOUBLE, `zoned` for moments with an offset; text may be anything."""
        return expression("CASE WHEN _sqlanon_has_offset(low_text) THEN 'zoned' ELSE type_scale END")

    def position(self, regions: Regions, position: Decimal | int) -> exp.Expr:
        """FLOATs are compared as such with a DECIMAL, and moments with an offset in the time zone of the session."""
        if position not in regions.points or isinstance(position, int):
            return double(position)
        at = regions.points.index(position)
        if regions.axis == "number":
            rounded = single(regions, at)
            if rounded == float(position):
                return double(position)
            return expression(
                "CASE WHEN scale = 'single' THEN :single ELSE :exact END",
                single=double(rounded),
                exact=double(position),
            )
        return expression(
            "CASE WHEN scale = 'zoned' THEN :instant ELSE :exact END",
            instant=instant(regions, at),
            exact=double(position),
        )

    def refused_items(self, column: QueryColumn, axis: str | None) -> list[Refusal]:
        """Values with more digits than are compared, and offsets that are printed without their seconds."""
        times = "" if axis == "time" else " AND axis = 'time'"
        wrong = []
        if axis in ("time", None):
            wrong.append(f"_sqlanon_is_cut({{end}}_text){times}")
        if axis in ("time", None) and column.regions.points:
            wrong.append(f"_sqlanon_is_fine_time({{end}}_text, {{end}}_days){times}")
        if axis == "number" and column.regions.points:
            wrong.append("_sqlanon_is_fine_number({end}_text, {end}_number)")
        ends = ("low", "high")
        return [(expression(each.format(end=end)), too_fine(column)) for each in wrong for end in ends]

    def refused_columns(self, column: QueryColumn, axis: str | None) -> list[Refusal]:
        """Refusals that depend on types, where text does not tell its own."""
        if not column.regions.points:
            return []
        refusals: list[Refusal] = []
        if column.regions.axis == "number":
            refusals += refusals_of_numbers(column)
        if column.regions.axis in ("time", "iso"):
            refusals += refusals_of_times(column, known=axis == "time")
        if column.regions.axis in ("text", "iso"):
            refusals += refusals_of_texts(column, known=axis == "text")
        return refusals

    def step_values(self, ranges: exp.Select, size: str) -> exp.Select:
        return query(
            "SELECT *, unnest(range(CAST(low AS BIGINT), CAST(high AS BIGINT) + 1)) AS step FROM :ranges",
            ranges=ranges.subquery("ranges"),
        )

    def value(self, label: exp.Expr) -> exp.Expr:
        """In a type as close to the source's as the release shows."""
        shown = "_sqlanon_shown_value(cell, cell)"
        return expression(f"_sqlanon_like({shown}, {shown}, :label)", label=label)


def is_ranged() -> exp.Expr:
    """Whether an item is of numbers, dates or times: by its type, or as the text [low, high]."""
    return expression(
        """
        CASE
            WHEN type_name LIKE '%]' THEN FALSE
            WHEN type_name <> 'VARCHAR' THEN measured
            WHEN label = low_text THEN FALSE
            WHEN NOT low_number IS NULL AND NOT high_number IS NULL THEN TRUE
            WHEN NOT low_days IS NULL AND NOT high_days IS NULL THEN TRUE
            ELSE coalesce(_sqlanon_is_clock(low_text) AND _sqlanon_is_clock(high_text), FALSE)
        END
        """
    )
