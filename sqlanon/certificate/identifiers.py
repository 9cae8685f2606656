"""Columns that lead to people: those that a release publishes as they are, and those that repeat in its source.

kept_columns    the columns of the release that are neither group_id, nor recoded, nor sensitive
column_numbers  one row: those of these columns, and of the quasi-identifiers
kept_alone      each of them: how far it tells rows apart, and whether it leads to people
kept_together   the same of all that do not, together
kept            one row: both
source          the source, if there is one
source_columns  its columns that may tell people apart
repeating       one row: the rows of the source, and the identifiers in it that have a value twice
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.columns.description import columns_statement
from sqlanon.columns.request import Description
from sqlanon.errors import ReleaseMismatch
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import StepName, read_table_for
from sqlanon.statement.template import Inline, Once, Step, expression, query, text, with_steps

from .content import RELEASE

KEPT, SOURCE, SOURCE_COLUMNS = StepName("kept_columns"), StepName("source"), StepName("source_columns")


def kept_column_steps(qi: Sequence[str], sa: Sequence[str]) -> dict[str, Step]:
    """The steps from `release`, `texts`, `described` and `judged` to `kept`."""
    others = ("group_id", *qi, *sa)
    return {
        KEPT: Once(drop_columns(RELEASE, others)),
        "column_numbers": Once(number_columns(qi, others)),
        "kept_alone": Once(single_columns()),
        "kept_others": Once(remaining_columns()),
        "kept_together": columns_together(),
        "kept": Once(kept_columns()),
    }


def number_columns(qi: Sequence[str], others: Sequence[str]) -> exp.Select:
    """One row: where the quasi-identifiers are among the columns, and where those that are published as they are."""
    return query(
        """
        SELECT
            names,
            list_filter(numbers, lambda number: list_contains(:qi, lower(list_extract(names, number)))) AS qi_numbers,
            list_filter(numbers, lambda number: NOT list_contains(:others, lower(list_extract(names, number))))
                AS kept_numbers
        FROM (SELECT names, range(1, len(names) + 1) AS numbers FROM described) AS numbered
        """,
        qi=fold_names(qi),
        others=fold_names(others),
    )


def single_columns() -> exp.Select:
    """One row for each column that is published as it is: how far it tells rows apart."""
    cells = query(
        """
        SELECT
            unnest(kept_numbers) AS cells_of, unnest(list_select(cells, kept_numbers)) AS cells,
            list_select(cells, qi_numbers) AS class
        FROM texts CROSS JOIN column_numbers
        WHERE len(kept_numbers) > 0
        """
    )
    return query(
        """
        SELECT
            number, name, coalesce(unique_rows, 0) AS unique_rows,
            coalesce(alone_rows, 0) AS alone_rows, different_cells,
            _sqlanon_leads_to_people(role, unique_rows, row_count) AS identifies
        FROM (
            SELECT list_position(names, "column") AS number, "column" AS name, role
            FROM :roles CROSS JOIN column_numbers
            WHERE "column" <> :nothing
        ) AS named
        LEFT JOIN :narrowing ON cells_of = number
        """,
        roles=columns_statement(Description("certify", KEPT)).subquery("described_columns"),
        narrowing=narrowing(cells).subquery("narrowing"),
        nothing=text(NOTHING),
    )


def remaining_columns() -> exp.Select:
    """One row: those that have several values, and lead to nobody by themselves."""
    return query(
        """
        SELECT list(name ORDER BY name ASC) AS names, list(number ORDER BY name ASC) AS numbers
        FROM kept_alone
        WHERE NOT identifies AND different_cells > 1
        """
    )


def columns_together() -> exp.Select:
    """One row: how far these columns together tell rows apart; none where they are fewer than two."""
    cells = query(
        """
        SELECT
            kept_others.names AS cells_of, list_select(cells, kept_others.numbers) AS cells,
            list_select(cells, qi_numbers) AS class
        FROM texts CROSS JOIN column_numbers CROSS JOIN kept_others
        WHERE len(kept_others.names) > 1
        """
    )
    return query(
        """
        SELECT
            cells_of AS names, unique_rows, alone_rows,
            _sqlanon_leads_to_people(CAST(NULL AS VARCHAR), unique_rows, row_count) AS identifies
        FROM :narrowing
        """,
        narrowing=narrowing(cells).subquery("narrowing"),
    )


def narrowing(cells: exp.Select) -> exp.Select:
    """One row for each `cells_of`: the rows whose cells no other row has, and those that are alone by their cells in a
    class that has others.
    """
    return query(
        """
        SELECT
            cells_of, CAST(sum(n) FILTER (WHERE n = 1) AS BIGINT) AS unique_rows,
            CAST(sum(alone) AS BIGINT) AS alone_rows, sum(n) AS row_count, count(*) AS different_cells
        FROM (
            SELECT cells_of, cells, sum(n) AS n, sum(CASE WHEN n = 1 AND class_size > 1 THEN 1 ELSE 0 END) AS alone
            FROM (
                SELECT cells_of, cells, n, sum(n) OVER (PARTITION BY cells_of, class) AS class_size
                FROM (
                    SELECT cells_of, cells, class, count(*) AS n FROM :cells GROUP BY cells_of, cells, class
                ) AS in_class
            ) AS in_classes
            GROUP BY cells_of, cells
        ) AS valued
        GROUP BY cells_of
        """,
        cells=cells.subquery("cells"),
    )


def kept_columns() -> exp.Select:
    """One row: all of that in a list, what several columns do together last."""
    return query(
        """
        SELECT coalesce(list(
            {
                'columns': names, 'unique_rows': coalesce(unique_rows, 0),
                'alone_rows': coalesce(alone_rows, 0), 'identifies': identifies
            }
            ORDER BY len(names) ASC, list_extract(names, 1) ASC
        ), CAST([] AS STRUCT(
            columns VARCHAR[], unique_rows BIGINT, alone_rows BIGINT, identifies BOOLEAN
        )[])) AS kept
        FROM (
            SELECT [name] AS names, unique_rows, alone_rows, identifies FROM kept_alone
            UNION ALL
            SELECT names, unique_rows, alone_rows, identifies FROM kept_together
        ) AS every
        """
    )


def source_steps(src: str, sa: Sequence[str], counts_people: bool) -> dict[str, Step]:
    """The steps to `repeating`. Where people are counted, somebody has named the identifier, and none is looked for."""
    steps: dict[str, Step] = {SOURCE: source_step(src)} if counts_people else source_column_steps(src, sa)
    too_many = ReleaseMismatch("rel has more rows than src.", "Is it the source of this release?")
    steps["repeating"] = Once(
        query(
            """
            SELECT
                CASE WHEN n < (SELECT count(*) FROM :release) THEN :too_many ELSE n END AS source_rows,
                :identifiers AS identifiers
            FROM (SELECT count(*) AS n FROM :source) AS counted
            """,
            release=RELEASE,
            source=SOURCE,
            too_many=DUCKDB.raise_error(too_many),
            identifiers=expression("CAST([] AS VARCHAR[])") if counts_people else repeating_identifiers().subquery(),
        )
    )
    return steps


def source_step(src: str) -> Step:
    """The source as it is."""
    source = exp.alias_(read_table_for("certify", src, "src"), "src", table=True)
    return Inline(exp.select("*").from_(source, copy=False))


def source_column_steps(src: str, sa: Sequence[str]) -> dict[str, Step]:
    """The source, and its columns that may tell people apart: l-diversity counts the values of sensitive ones itself.

    A quasi-identifier may: whoever has several rows is a class of their own by it.
    """
    return {SOURCE: source_step(src), SOURCE_COLUMNS: Inline(drop_columns(SOURCE, sa))}


def repeating_statement(src: str, sa: Sequence[str]) -> exp.Select:
    """One row: the identifiers of a source that repeat, as a certificate has them."""
    answer = exp.select(exp.alias_(repeating_identifiers().subquery(), "identifiers"))
    return with_steps(answer, source_column_steps(src, sa))


def repeating_identifiers() -> exp.Select:
    """One list: the columns of people who have several rows, as `columns` sees them."""
    return query(
        """
        SELECT coalesce(list("column" ORDER BY "column" ASC) FILTER (WHERE entity), CAST([] AS VARCHAR[]))
        FROM :described
        """,
        described=columns_statement(Description("certify", SOURCE_COLUMNS)).subquery("described_columns"),
    )


NOTHING = "_sqlanon_nothing"
"""A column that is always there: a table needs one."""


def drop_columns(step: str, names: Sequence[str]) -> exp.Select:
    """A step without the columns of these names, and with one that says nothing."""
    return query(
        """
        SELECT COLUMNS(lambda name: NOT list_contains(:names, lower(name)))
        FROM (SELECT *, CAST(NULL AS VARCHAR) AS _sqlanon_nothing FROM :step) AS whole
        """,
        names=fold_names(names),
        step=step,
    )


def fold_names(names: Sequence[str]) -> exp.Expr:
    """Names as DuckDB compares them."""
    return exp.array(*(exp.func("lower", text(name)) for name in names))
