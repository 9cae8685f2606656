"""Engines that have no sqlanon: plain SQL that all of them have in common. A release in text format, no taxonomies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlglot
from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.statement.engine import OtherEngine
from sqlanon.statement.template import expression, query, text

from .columns import QueryColumn
from .reader import Reader, Refusal
from .refusals import no_moments, too_long, unclear_value

NUMBER = "^[-+]?[0-9]+[.]?[0-9]*([eE][-+]?[0-9]+)?$"
DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
MOMENT = f"^({DAY} |-?[0-9]+:[0-9][0-9]:[0-9][0-9]|-?[0-9]+ (day|month|year))"
"""A timestamp, a time of day or an interval: they have ranges, but no axis here."""


class PortableReader(Reader):
    """For any engine."""

    def __init__(self, engine: OtherEngine) -> None:
        self.engine = engine

    def refuse(self, columns: Sequence[QueryColumn]) -> None:
        """Engines disagree about the order of text, and about moments with a time zone."""
        for column in columns:
            if any("TIMESTAMPTZ" in types for types in column.regions.types):
                raise no_moments(column)
            if column.regions.axis == "text" and column.regions.ordered:
                raise InvalidParameter(
                    f"query: the order of text in column {column.name!r} is not the same on all engines.",
                    "Compare it with =, <>, IN or IS NULL, or use estimate in DuckDB.",
                )

    def first_steps(self) -> dict[str, exp.Query]:
        """The numbers from 0 to 99,999 for engines that have no series in common."""
        ten = "SELECT 0 AS digit" + "".join(f" UNION ALL SELECT {digit}" for digit in range(1, 10))
        numbers = """
            SELECT a.digit + 10 * b.digit + 100 * c.digit + 1000 * d.digit + 10000 * e.digit AS n
            FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS d CROSS JOIN digits AS e
        """
        return {"digits": query(ten), "numbers": query(numbers)}

    def rows(self, rel: str, columns: Mapping[str, str]) -> exp.Select:
        rows = self.engine.rows(rel, "estimate", columns, "rel")
        rows.set("expressions", [
            exp.alias_(exp.cast(item.unalias(), "VARCHAR"), item.alias) for item in rows.expressions
        ])  # fmt: skip
        return rows

    def may_be(self, cell: exp.Expr, texts: Sequence[str]) -> exp.Expr:
        plain = exp.In(this=cell, expressions=[*map(text, texts)])
        return expression(":plain OR :cell = '*' OR :cell LIKE '[%' OR :cell LIKE '{%'", cell=cell.copy(), plain=plain)

    def published_cells(self, column: QueryColumn, rel: str, filtered: bool) -> exp.Query:
        cells = exp.select(f"{column.alias} AS cell").distinct()
        if not filtered:
            return cells.from_("classes")
        return cells.from_(self.rows(rel, {column.alias: column.name}).subquery("every_row"))

    def item_steps(self, column: QueryColumn) -> dict[str, exp.Query]:
        alias = column.alias
        read = query(
            """
            SELECT
                cell,
                CASE WHEN cell LIKE '{%, %}' THEN 1 ELSE 0 END AS listed,
                CASE WHEN cell LIKE '[%, %]' THEN substring(cell, 2, strpos(cell, ', ') - 2) ELSE cell END AS low_text,
                CASE
                    WHEN cell LIKE '[%, %]'
                        THEN substring(cell, strpos(cell, ', ') + 2, length(cell) - strpos(cell, ', ') - 2)
                    ELSE cell
                END AS high_text,
                CASE WHEN cell LIKE '{%, %}' THEN substring(cell, 2, length(cell) - 2) END AS listing
            FROM :published
            WHERE cell IS NULL OR cell <> '*'
            """,
            published=f"published_{alias}",
        )
        if column.unclear:
            read = read.where(self.guard([(expression("cell LIKE '{%, %}'"), unclear_value(column))]))
        lists = query(
            """
            SELECT cell, listing, size
            FROM (
                SELECT
                    cell, listing,
                    CAST((length(listing) - length(replace(listing, ', ', ''))) / 2 + 1 AS INTEGER) AS size
                FROM :read WHERE listed = 1
            ) AS counted
            WHERE :short
            """,
            read=f"read_{alias}",
            short=self.guard([(expression("size > 1000"), too_long(column))]),
        )
        single = query(
            """
            SELECT
                cell, 1 AS size, cell AS label, low_text, high_text, :ranged AS ranged,
                FALSE AS measured, TRUE AS alone
            FROM :read WHERE listed = 0
            """,
            read=f"read_{alias}",
            ranged=self._is_range(),
        )
        listed = query(
            """
            SELECT
                cell, size, label, label AS low_text, label AS high_text, FALSE AS ranged,
                FALSE AS measured, FALSE AS alone
            FROM (
                SELECT cell, size, nullif(:item, 'NULL') AS label
                FROM :lists CROSS JOIN numbers
                WHERE numbers.n < size AND numbers.n < 1000
            ) AS items
            """,
            item=self._item(),
            lists=lists.subquery("lists"),
        )
        return {
            f"read_{alias}": read,
            f"items_{alias}": exp.union(single, listed, distinct=False, copy=False),
            f"stars_{alias}": query("SELECT cell FROM :published WHERE cell = '*'", published=f"published_{alias}"),
        }

    def _is_range(self) -> exp.Expr:
        cases = exp.Case().when(expression("NOT cell LIKE '[%, %]'"), exp.false())
        for is_kind in (self.is_number, self.is_time, self._is_moment):
            cases = cases.when(exp.and_(is_kind("low"), is_kind("high")), exp.true())
        return cases.else_(exp.false())

    def _item(self) -> exp.Expr:
        """The text between two commas of a list."""
        return expression("split_part(listing, ', ', numbers.n + 1)")

    def _is_moment(self, end: str) -> exp.Expr:
        return expression(f"regexp_matches({end}_text, :moment)", moment=text(MOMENT))

    def is_number(self, end: str) -> exp.Expr:
        return expression(f"regexp_matches({end}_text, :number)", number=text(NUMBER))

    def is_time(self, end: str) -> exp.Expr:
        return expression(f"regexp_matches({end}_text, :day)", day=text(f"^{DAY}$"))

    def is_day(self, end: str) -> exp.Expr:
        return expression(f"length({end}_text) = 10")

    def number(self, column: QueryColumn, end: str) -> exp.Expr:
        """An end as a number; the engine has its own error for what is none."""
        return expression(f"CAST({end}_text AS DOUBLE)")

    def days(self, column: QueryColumn, end: str) -> exp.Expr:
        return expression(f"CAST(date_diff('day', CAST('1970-01-01' AS DATE), CAST({end}_text AS DATE)) AS DOUBLE)")

    def refused_items(self, column: QueryColumn, axis: str | None) -> list[Refusal]:
        if axis != "time":
            return []
        return [(exp.or_(self._is_moment("low"), self._is_moment("high")), no_moments(column))]

    def step_values(self, ranges: exp.Select, size: str) -> exp.Select:
        return query(
            """
            SELECT ranges.*, low + counted.n AS step
            FROM :ranges
            CROSS JOIN (SELECT n FROM numbers WHERE n <= (SELECT highest - lowest FROM :size)) AS counted
            WHERE counted.n <= high - low
            """,
            ranges=ranges.subquery("ranges"),
            size=size,
        )


class BigQueryReader(PortableReader):
    """BigQuery, which has no split_part."""

    def _item(self) -> exp.Expr:
        return sqlglot.parse_one("split(listing, ', ')[SAFE_ORDINAL(numbers.n + 1)]", dialect="bigquery")


def portable_reader(engine: OtherEngine) -> PortableReader:
    """The reader for an engine that sqlanon.rewrite writes for."""
    return BigQueryReader(engine) if engine.name == "bigquery" else PortableReader(engine)
