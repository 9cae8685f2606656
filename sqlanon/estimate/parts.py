"""Published values on their axes: each cell as weighted values and ranges.

items_*, stars_*  the cells taken apart: see reader
axis_*            one row: where the query's constants do not say it, whether the values are numbers, times or text
placed_*          items_*, each value or range placed on its axis
size_*            one row: whether values go in whole steps, how far they reach, whether NULL is shown (gap)
parts_*           every cell, stars too, as weighted values and ranges; the weights of a cell add up to 1. What
                  `hides` may be a label, which may stand for any value
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import expression, query, text

from .columns import QueryColumn
from .reader import ABOVE_ALL, BELOW_ALL, Reader, Refusal
from .refusals import endless, masked_value, no_steps, no_text, too_large, unshown_value

MEASURED = ("number", "time")
LARGEST = "9007199254740992e0"
"""2 to the power of 53."""
FINITE = f"{BELOW_ALL} < low AND high < {ABOVE_ALL}"
POINT = "CASE WHEN low_text = high_text THEN low_text END"
BROKEN = " OR ".join(f"{end} LIKE '%{sign}%'" for end in ("low_text", "high_text") for sign in (".", "e", "E", "n"))
"""Whether one of two numbers is not whole: 1.0, 1e20, nan and inf are not."""


def parts_steps(column: QueryColumn, reader: Reader, rel: str, filtered: bool) -> dict[str, exp.Query]:
    """The steps from the rows of the release to the parts of one column's cells."""
    alias = column.alias
    steps = {f"published_{alias}": reader.published_cells(column, rel, filtered), **reader.item_steps(column)}
    if axis_of(column) is None:
        steps[f"axis_{alias}"] = axis(column, reader)
    steps[f"placed_{alias}"] = place_items(column, reader)
    steps[f"size_{alias}"] = size(column, reader)
    steps[f"parts_{alias}"] = parts(column, reader)
    return steps


def axis_of(column: QueryColumn) -> str | None:
    """number, time or text, where it can be told without a look at the release."""
    if column.regions.axis == "open":
        return "text" if column.taxonomy else None
    return None if column.regions.axis == "iso" else column.regions.axis


def axis(column: QueryColumn, reader: Reader) -> exp.Select:
    """One row. Ranges of numbers or dates are no labels; text that looks like a date is one if everything does."""
    needed = "ranged" if column.regions.axis == "open" else "TRUE"
    kinds = {"number": reader.is_number, "time": reader.is_time}
    if column.regions.axis == "iso":
        del kinds["number"]
    cases = exp.Case()
    for kind, is_kind in kinds.items():
        cases = cases.when(
            expression(
                f"""
                max(CASE WHEN {needed} THEN 1 ELSE 0 END) = 1
                AND min(CASE WHEN :low AND :high THEN 1 ELSE 0 END) = 1
                """,
                low=is_kind("low"),
                high=is_kind("high"),
            ),
            text(kind),
        )
    chosen = exp.alias_(cases.else_(text("text")), "axis")
    return exp.select(chosen).from_(f"items_{column.alias}").where("NOT label IS NULL")


def place_items(column: QueryColumn, reader: Reader) -> exp.Select:
    """Values and ranges on their axis. A range has no label."""
    known = axis_of(column)
    label = {
        "text": "label",
        None: f"CASE WHEN axis = 'text' AND NOT (ranged AND low_text = high_text) THEN label ELSE {POINT} END",
    }.get(known, POINT)
    days = expression(
        "CASE WHEN :low AND :high THEN 1 ELSE 0 END",
        low=reader.is_day("low"),
        high=reader.is_day("high"),
    )
    numbers = expression(f"CASE WHEN {BROKEN} THEN 0 ELSE 1 END")
    whole = {"number": numbers, "time": days, "text": expression("1")}.get(
        known or "", expression("CASE WHEN axis = 'time' THEN :days ELSE :numbers END", days=days, numbers=numbers)
    )
    select = query(
        f"""
        SELECT
            cell, CAST(1 AS DOUBLE) / size AS weight,
            :low AS low, :high AS high, {label} AS label, :whole AS whole, :scale AS scale, measured, alone
        FROM :items
        """,
        items=f"items_{column.alias}",
        low=position(column, reader, "low"),
        high=position(column, reader, "high"),
        whole=whole,
        scale=reader.scale(),
    )
    if known is None:
        select = select.select("axis").join(f"axis_{column.alias}", join_type="cross", copy=False)
    refusals = [*reader.refused_items(column, known), *refused_ranges(column)]
    return select.where(reader.guard(refusals), copy=False) if refusals else select


def refused_ranges(column: QueryColumn) -> list[Refusal]:
    """Numbers and times are not compared with text, nor are ranges of them gone through as text."""
    known = axis_of(column)
    if column.taxonomy or known in MEASURED or (column.regions.axis == "open" and not column.grouped):
        return []
    as_text = "NOT label IS NULL" if known else "NOT label IS NULL AND axis = 'text'"
    if column.regions.axis == "open":
        return [(expression(f"{as_text} AND ranged AND low_text <> high_text"), no_steps(column))]
    return [(expression(f"{as_text} AND (ranged OR measured)"), no_text(column))]


def position(column: QueryColumn, reader: Reader, end: str) -> exp.Expr:
    """How far along its axis an end lies."""
    known = axis_of(column)
    if known == "text":
        return exp.cast(exp.null(), "DOUBLE")
    if known in MEASURED:
        return (reader.number if known == "number" else reader.days)(column, end)
    return expression(
        "CASE axis WHEN 'number' THEN :number WHEN 'time' THEN :days END",
        number=reader.number(column, end),
        days=reader.days(column, end),
    )


def size(column: QueryColumn, reader: Reader) -> exp.Select:
    """One row. Ranges without an end, and what cannot be told apart or compared, are refused.

    How far values reach is said of the finite ones: nothing is spread over what has no end.
    """
    known = axis_of(column)
    select = query(
        f"""
        SELECT
            coalesce(min(CASE WHEN NOT low IS NULL THEN whole END), 0) AS stepped,
            min(CASE WHEN {FINITE} THEN low END) AS lowest,
            max(CASE WHEN {FINITE} THEN high END) AS highest,
            coalesce(max(CASE WHEN NOT low IS NULL THEN 1 ELSE 0 END), 0) AS located,
            coalesce(max(CASE WHEN label IS NULL AND low IS NULL THEN 1 ELSE 0 END), 0) AS gap,
            coalesce(max(scale), 'exact') AS scale
        FROM :placed
        """,
        placed=f"placed_{column.alias}",
    )
    select = select.select("max(axis) AS axis" if known is None else exp.alias_(text(known), "axis"), copy=False)
    if column.sought_texts:
        select = select.select(exp.alias_(lacks_constants(column), "unshown"), copy=False)
    if known != "text":
        inexact = "TRUE" if column.regions.points else "low < high"  # single values alone are grouped by their text
        too_wide = expression("low < high AND NOT high - low <= 1e300")
        far = expression(f"whole = 1 AND {inexact} AND greatest(-low, high) >= {LARGEST} AND {FINITE}")
        select = select.where(reader.guard([(too_wide, endless(column)), (far, too_large(column))]), copy=False)
    refusals = reader.refused_columns(column, known)
    return select.having(reader.guard(refusals), copy=False) if refusals else select


def is_suspect(column: QueryColumn) -> exp.Expr:
    """Whether a value of text may be a label: it is none of the constants. BOOLEAN has no labels."""
    others = [*map(text, dict.fromkeys([*column.regions.texts, "true", "false"]))]
    suspect = expression("alone AND NOT :other", other=exp.In(this=expression("label"), expressions=others))
    return suspect if axis_of(column) == "text" else expression("axis = 'text' AND :suspect", suspect=suspect)


def hides(column: QueryColumn) -> exp.Expr:
    """1 if a cell may be a label that stands for other values: where a constant is not shown, or groups are recoded."""
    if not column.may_have_labels:
        return expression("0")
    return expression(
        f"CASE WHEN (:unshown OR (SELECT recoded FROM recoded_{column.alias})) AND :suspect THEN 1 ELSE 0 END",
        unshown=expression("unshown = 1") if column.sought_texts else exp.false(),
        suspect=is_suspect(column),
    )


def lacks_constants(column: QueryColumn) -> exp.Expr:
    """1 if a constant of =, <> or IN is nowhere in the column, which has text that may be a label; else 0."""
    sought = column.sought_texts
    return expression(
        f"""
        CASE
            WHEN count(DISTINCT CASE WHEN :shown THEN label END) < {len(sought)}
                AND coalesce(max(CASE WHEN :suspect THEN 1 ELSE 0 END), 0) = 1 THEN 1
            ELSE 0
        END
        """,
        shown=exp.In(this=expression("label"), expressions=[*map(text, sought)]),
        suspect=is_suspect(column),
    )


def refused_labels(column: QueryColumn) -> list[Refusal]:
    """Labels whose taxonomy was not given. A constant may also be under a star, or in a row that was left out."""
    if not column.may_have_labels or not column.regions.points:
        return []
    refusals = [(expression("alone AND label LIKE '_%*'"), masked_value(column))]
    if column.sought_texts and column.complete:
        starless = query("SELECT count(*) FROM :stars", stars=f"stars_{column.alias}").subquery()
        refusals.append((expression("unshown = 1 AND :stars = 0", stars=starless), unshown_value(column)))
    return refusals


def parts(column: QueryColumn, reader: Reader) -> exp.Query:
    """The parts of all cells. A star is spread over what the release shows; it may be NULL in any case."""
    alias = column.alias
    shown = query(
        """
        SELECT
            cell, 0 AS star, 1 AS shown, label, low, high, high + stepped AS upto, stepped, axis, scale, weight,
            :hides AS hides
        FROM (
            SELECT cell, weight, low, high, label, alone, size.*
            FROM :placed AS placed CROSS JOIN :size AS size
        ) AS sized
        """,
        placed=f"placed_{alias}",
        size=f"size_{alias}",
        hides=hides(column),
    )
    if refusals := refused_labels(column):
        shown = shown.where(reader.guard(refusals), copy=False)
    stars = query(
        """
        SELECT
            cell, 1 AS star, CASE WHEN label IS NULL AND low IS NULL THEN gap ELSE 1 END AS shown,
            label, low, high, high + stepped AS upto, stepped, axis, scale,
            :weight AS weight, 0 AS hides
        FROM :stars AS stars CROSS JOIN :size AS size CROSS JOIN :domain
        """,
        stars=f"stars_{alias}",
        size=f"size_{alias}",
        domain=domain(column, reader).subquery("domain"),
        weight=star_weight(column, reader),
    )
    return exp.union(shown, stars, distinct=False, copy=False)


def star_weight(column: QueryColumn, reader: Reader) -> exp.Expr:
    """The weight of one entry of the domain of a star; NULL if it cannot be known."""
    known = axis_of(column)
    cases = exp.Case()
    if column.grouped and known != "text":
        far = expression(f"stepped = 1 AND greatest(-lowest, highest) >= {LARGEST}")
        cases = cases.when(far, reader.fail(too_large(column)))
    if column.taxonomy or known not in MEASURED:
        cases = cases.when(expression("counted = 1"), expression("CAST(1 AS DOUBLE) / (labels + gap)"))
        null_beside_labels = expression("label IS NULL AND low IS NULL AND labels > 0")
        cases = cases.when(null_beside_labels, expression("gap / CAST(labels + gap AS DOUBLE)"))
    cases = cases.when(expression("label IS NULL AND low IS NULL AND located = 0 AND gap = 1"), expression("1"))
    if known == "text":
        return cases
    for condition, weight in (
        ("lowest IS NULL OR highest - lowest > 1e300", "NULL"),
        ("NOT label IS NULL OR (low IS NULL AND stepped = 0)", "0"),
        ("stepped = 0", "1"),
        ("low IS NULL", "gap / (highest - lowest + 1 + gap)"),
    ):
        cases = cases.when(expression(condition), expression(weight))
    return cases.else_(expression("(high - low + 1) / (high - low + 1 + gap)"))


def domain(column: QueryColumn, reader: Reader) -> exp.Select:
    """The domain of a star. NULL is always there; then the leaves of a taxonomy, or what the release shows:
    labels, or everything from the lowest to the highest, and what is infinite.

    Labels that are equally likely are `counted`; infinities are possible, but nothing is spread over them.
    """
    alias, known, leaves = column.alias, axis_of(column), reader.leaves(column)
    null = query(
        "SELECT CAST(NULL AS VARCHAR) AS label, CAST(NULL AS DOUBLE) AS low, CAST(NULL AS DOUBLE) AS high, 0 AS counted"
    )
    labels = query(
        "SELECT DISTINCT label, low, high, 1 FROM :placed WHERE NOT label IS NULL AND low IS NULL",
        placed=f"placed_{alias}",
    )
    range_of_all = query(
        "SELECT CAST(NULL AS VARCHAR), lowest, highest, 0 FROM :size WHERE NOT lowest IS NULL", size=f"size_{alias}"
    )
    measured = [range_of_all]
    if column.grouped:
        infinite = query(
            f"SELECT DISTINCT label, low, high, 0 FROM :placed WHERE NOT label IS NULL AND NOT ({FINITE})",
            placed=f"placed_{alias}",
        )
        measured.append(infinite)
    spread = {"text": [labels], None: [labels, *measured]}.get(known, measured)
    if leaves is not None:
        spread = [
            query(
                "SELECT label, :at AS low, :at AS high, 1 FROM :leaves",
                at=position(column, reader, "low"),
                leaves=leaves.subquery("leaves"),
            )
        ]
    return query(
        "SELECT label, low, high, counted, sum(counted) OVER () AS labels FROM :spread",
        spread=exp.union(null, *spread, distinct=False, copy=False).subquery("spread"),
    )
