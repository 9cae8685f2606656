"""The published values of a column (cells), taken apart in plain SQL, from

    published_*   the distinct cells, of the rows that cannot count too: a star stands for whatever they show

into

    told_*     every cell that tells something, one row per value or range in it: cell, pieces (how many), label (its
               text), low_text and high_text (the ends of a range, else the label twice), ranged
    stars_*    the cells that tell nothing
"""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from sqlanon.errors import SqlanonError
from sqlanon.planner.estimate.columns import QueryColumn
from sqlanon.planner.template import column, expression, query, text
from sqlanon.refusals import too_long, unclear_value


def told(used: QueryColumn, dialect: str) -> dict[str, exp.Select]:
    """Steps from published_* to told_* and stars_*."""
    own = used.alias
    found = query(
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
        published=f"published_{own}",
    )
    if used.unclear:
        found = found.where(
            expression("CASE WHEN cell LIKE '{%, %}' THEN :fail IS NULL ELSE TRUE END", fail=fail(unclear_value(used)))
        )
    ranged = expression(
        """
        CASE
            WHEN NOT cell LIKE '[%, %]' THEN FALSE
            WHEN :low AND :high THEN TRUE
            WHEN :first AND :last THEN TRUE
            WHEN :from_moment AND :to_moment THEN TRUE
            ELSE FALSE
        END
        """,
        low=is_number(column("low_text")),
        high=is_number(column("high_text")),
        first=is_time(column("low_text")),
        last=is_time(column("high_text")),
        from_moment=is_moment(column("low_text")),
        to_moment=is_moment(column("high_text")),
    )
    numbered = query(
        """
        SELECT cell, listing, pieces
        FROM (
            SELECT
                cell, listing,
                CAST((length(listing) - length(replace(listing, ', ', ''))) / 2 + 1 AS INTEGER) AS pieces
            FROM :found WHERE listed = 1
        ) AS counted
        WHERE CASE WHEN pieces > 1000 THEN :fail IS NULL ELSE TRUE END
        """,
        found=f"found_{own}",
        fail=fail(too_long(used)),
    )
    alone = query(
        """
        SELECT cell, :ranged AS ranged, 1 AS pieces, cell AS label, low_text, high_text
        FROM :found WHERE listed = 0
        """,
        found=f"found_{own}",
        ranged=ranged,
    )
    items = query(
        """
        SELECT cell, FALSE AS ranged, pieces, label, label AS low_text, label AS high_text
        FROM (
            SELECT cell, pieces, nullif(:item, 'NULL') AS label
            FROM :listings CROSS JOIN numbers
            WHERE numbers.n < pieces AND numbers.n < 1000
        ) AS items
        """,
        item=item(dialect),
        listings=numbered.subquery("listings"),
    )
    return {
        f"found_{own}": found,
        f"told_{own}": exp.union(alone, items, distinct=False, copy=False),  # type: ignore[dict-item]
        f"stars_{own}": query("SELECT cell FROM :published WHERE cell = '*'", published=f"published_{own}"),
    }


def item(dialect: str) -> exp.Expr:
    """The text between two commas of a list."""
    if dialect == "bigquery":
        return sqlglot.parse_one("split(listing, ', ')[SAFE_ORDINAL(numbers.n + 1)]", dialect="bigquery")
    return expression("split_part(listing, ', ', numbers.n + 1)")


def may_be(cell: exp.Expr, plain: exp.Expr) -> exp.Expr:
    """Whether a cell may have a value; `plain` says it of a single one."""
    return expression(":plain OR :cell = '*' OR :cell LIKE '[%' OR :cell LIKE '{%'", cell=cell, plain=plain)


def is_number(value: exp.Expr) -> exp.Expr:
    return expression(r"regexp_matches(:value, '^[-+]?[0-9]+[.]?[0-9]*([eE][-+]?[0-9]+)?$')", value=value)


def is_time(value: exp.Expr) -> exp.Expr:
    return expression("regexp_matches(:value, '^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$')", value=value)


def is_moment(value: exp.Expr) -> exp.Expr:
    """A timestamp, a time of day or an interval: they have ranges, but no axis here."""
    day = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] "
    return expression(
        f"regexp_matches(:value, '^({day}|-?[0-9]+:[0-9][0-9]:[0-9][0-9]|-?[0-9]+ (day|month|year))')", value=value
    )


def number(value: exp.Expr) -> exp.Expr:
    """Text as a number: what is none is the engine's own error."""
    return exp.cast(value, "DOUBLE")


def days(value: exp.Expr) -> exp.Expr:
    """Text as days since 1970."""
    return expression("CAST(date_diff('day', CAST('1970-01-01' AS DATE), CAST(:value AS DATE)) AS DOUBLE)", value=value)


def fail(error: SqlanonError, hook: str = "cell") -> exp.Expr:
    """Engines have no error() in common, but all refuse to read a message as a number. The hook keeps it from
    being folded before a row needs it.
    """
    return expression(
        "CAST(concat(:message, substring(:hook, 1, 0)) AS DOUBLE)",
        message=text(str(error)),
        hook=exp.cast(column(hook), "VARCHAR"),
    )


def step_values(ranges: exp.Select, parts: str) -> exp.Select:
    """Every whole number from low to high, a row each."""
    return query(
        """
        SELECT ranges.*, low + counted.n AS step
        FROM :ranges CROSS JOIN (SELECT n FROM numbers WHERE n <= (SELECT max(high - low) FROM :parts)) AS counted
        WHERE counted.n <= high - low
        """,
        ranges=ranges.subquery("ranges"),
        parts=parts,
    )


def step_text(time: bool) -> exp.Expr:
    if time:
        return expression("CAST(CAST('1970-01-01' AS DATE) + CAST(step AS INTEGER) AS VARCHAR)")
    return expression("CAST(CAST(step AS BIGINT) AS VARCHAR)")


def counting_steps() -> dict[str, exp.Select]:
    """The numbers from 0 to 99,999 for engines that have no series in common."""
    ten = "SELECT 0 AS digit" + "".join(f" UNION ALL SELECT {digit}" for digit in range(1, 10))
    numbers = """
        SELECT a.digit + 10 * b.digit + 100 * c.digit + 1000 * d.digit + 10000 * e.digit AS n
        FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS d CROSS JOIN digits AS e
    """
    return {"digits": query(ten), "numbers": query(numbers)}
