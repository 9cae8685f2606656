"""The next step for a table, as an expression that every engine can compute: the words of sqlanon.next_steps."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.next_steps import (
    MOST_SUPPRESSED,
    NO_DIVERSE_RELEASE,
    NO_ROWS,
    ONLY_VALUE,
    Advice,
    in_sql,
    in_words,
    try_diverse,
    try_generalizing,
    try_suppressing,
)
from sqlanon.statement.blanks import blank, fill_blanks
from sqlanon.statement.template import expression


def next_step(rows: exp.Expr, values: exp.Expr, top: exp.Expr, max_l: exp.Expr, *, of_people: bool) -> exp.Expr:
    """The largest l; or, if it is 1, what else there is: taudiverse counts rows, so it is of no use for people."""
    otherwise = sentences(NO_DIVERSE_RELEASE) if of_people else without_diversity(rows, top)
    return expression(
        """
        CASE
            WHEN :size = 0 THEN :no_rows
            WHEN :max_l >= 2 THEN :diverse
            WHEN :different = 1 THEN :only_value
            ELSE :otherwise
        END
        """,
        size=rows,
        different=values,
        max_l=max_l,
        no_rows=sentences(NO_ROWS),
        diverse=sentences(try_diverse(blank("l")), l=exp.cast(max_l.copy(), "VARCHAR")),
        only_value=sentences(ONLY_VALUE),
        otherwise=otherwise,
    )


def without_diversity(rows: exp.Expr, top: exp.Expr) -> exp.Expr:
    """Sensitive values are generalized, or, if it takes few, rows are left out, for an l of 2."""
    percent = expression(
        "CAST(-floor(CAST(100 * (:size - 2 * :top) AS DOUBLE) / CAST(:size AS DOUBLE)) AS BIGINT)", top=top, size=rows
    )
    two_digits = expression(
        "CASE WHEN :percent < 10 THEN '0' ELSE '' END || CAST(:percent AS VARCHAR)", percent=percent
    )
    steps = (NO_DIVERSE_RELEASE, try_generalizing(2))
    return expression(
        "CASE WHEN :percent <= :most THEN :more ELSE :steps END",
        percent=percent,
        most=exp.Literal.number(MOST_SUPPRESSED),
        more=sentences(*steps, try_suppressing(f"0.{blank('digits')}"), digits=exp.paren(two_digits)),
        steps=sentences(*steps),
    )


def sentences(*advice: Advice, **blanks: exp.Expr) -> exp.Expr:
    """Next steps in SQL's words, with numbers that only the running statement knows."""
    return fill_blanks(in_words(advice, in_sql), **blanks)
