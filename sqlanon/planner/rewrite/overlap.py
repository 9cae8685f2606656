"""Which fraction of a part (label, or low to high) lies in a set of values, as SQL over the columns of parts_*.

Whole numbers and days are counted (stepped = 1, and upto = high + 1); anything else is measured by length (upto =
high), where a single value is a point: all in or all out.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from sqlglot import exp

from sqlanon.planner.estimate.regions import End, Regions, first_step, last_step
from sqlanon.planner.template import expression, text

Run = tuple[End, End]


def fraction(regions: Regions, chosen: frozenset[int]) -> exp.Expr:
    """The fraction of a part that lies in a set, 0 to 1."""
    return by_axis(regions, chosen, "0", "1", share)


def possible(regions: Regions, chosen: frozenset[int]) -> exp.Expr:
    """Whether a part has a value in a set."""
    return by_axis(regions, chosen, "FALSE", "TRUE", meets)


def mean(regions: Regions, chosen: frozenset[int]) -> exp.Expr:
    """The fraction times the mean of the values in it; 0 where there are none."""
    return summed([
        expression(
            "CASE WHEN :meets AND NOT low IS NULL THEN :share * (:first + :last - stepped) / 2 ELSE 0 END",
            meets=meets(run), share=share(run), first=first(run), last=last(run),
        )
        for run in regions.runs(chosen)
    ])  # fmt: skip


def reach(regions: Regions, chosen: frozenset[int]) -> tuple[exp.Expr, exp.Expr]:
    """The least and the greatest value of a part in a set, if there is one."""
    least, most = exp.Case(), exp.Case()
    runs = regions.runs(chosen)
    if not runs:
        return exp.null(), exp.null()
    for run in runs:
        least = least.when(meets(run), first(run))
    for run in reversed(runs):
        most = most.when(meets(run), expression(":last - stepped", last=last(run)))
    return least, most


def by_axis(regions: Regions, chosen: frozenset[int], no: str, yes: str, of_run: Callable[[Run], exp.Expr]) -> exp.Expr:
    """The same question for NULL, for text, and for what is measured."""
    null, known = regions.null in chosen, frozenset(range(regions.null))
    if not chosen & known:
        return expression(f"CASE WHEN label IS NULL AND low IS NULL THEN {yes} ELSE {no} END" if null else no)
    if chosen >= known:
        return expression(yes if null else f"CASE WHEN label IS NULL AND low IS NULL THEN {no} ELSE {yes} END")
    among = expression(
        f"CASE WHEN :among THEN {yes} ELSE {no} END", among=among_texts(regions, chosen, exp.column("label"))
    )
    told = among
    if regions.axis != "text":
        each = [of_run(run) for run in regions.runs(chosen)]
        told = exp.paren(exp.or_(*each)) if yes == "TRUE" else summed(each)
    if regions.axis == "iso":
        told = expression("CASE WHEN axis = 'text' THEN :among ELSE :told END", among=among, told=told)
    missing = yes if null else no
    return expression(f"CASE WHEN label IS NULL AND low IS NULL THEN {missing} ELSE :told END", told=told)


def summed(terms: list[exp.Expr]) -> exp.Expr:
    total: exp.Expr = terms[0] if terms else expression("0e0")
    for term in terms[1:]:
        total = exp.Add(this=total, expression=term)
    return total if len(terms) < 2 else exp.paren(total)


def among_texts(regions: Regions, chosen: frozenset[int], label: exp.Expr) -> exp.Expr:
    """Whether a label lies in a set: among its constants, or not among the others, where order plays no part."""
    gaps = regions.gaps
    names = {2 * i + 1: text(value) for i, value in enumerate(regions.texts)}
    if not gaps & chosen:
        return exp.In(this=label, expressions=[name for region, name in names.items() if region in chosen])
    if gaps <= chosen:
        others = [name for region, name in names.items() if region not in chosen]
        return exp.not_(exp.In(this=label, expressions=others))
    texts = dict(zip(regions.points, regions.texts, strict=True))
    each = []
    for low, high in regions.runs(chosen):
        sides: list[exp.Expr] = []
        if low.place is not None:
            sides.append((exp.GTE if low.closed else exp.GT)(this=label.copy(), expression=text(texts[low.place])))
        if high.place is not None:
            sides.append((exp.LTE if high.closed else exp.LT)(this=label.copy(), expression=text(texts[high.place])))
        each.append(exp.and_(*sides))
    return exp.or_(*each)


def share(run: Run) -> exp.Expr:
    """The fraction of low … high in a run of values."""
    return expression(
        """
        CASE
            WHEN upto > low THEN greatest(0e0, :last - :first) / (upto - low)
            WHEN :inside THEN 1
            ELSE 0
        END
        """,
        first=first(run),
        last=last(run),
        inside=between(run),
    )


def meets(run: Run) -> exp.Expr:
    """Whether low … high has a value in a run."""
    return expression(
        "CASE WHEN stepped = 1 THEN :last > :first ELSE :inside END",
        first=first(run),
        last=last(run),
        inside=between(run),
    )


def between(run: Run) -> exp.Expr:
    """Whether low … high, all of it, meets a run."""
    low, high = run
    sides: list[exp.Expr] = []
    if low.place is not None:
        sides.append((exp.GTE if low.closed else exp.GT)(this=exp.column("high"), expression=number(low.place)))
    if high.place is not None:
        sides.append((exp.LTE if high.closed else exp.LT)(this=exp.column("low"), expression=number(high.place)))
    return exp.and_(*sides) if sides else exp.true()


def first(run: Run) -> exp.Expr:
    """Where a run and low … upto begin to overlap, if they do."""
    end = run[0]
    if not isinstance(end.place, Decimal):
        return exp.column("low")
    return expression("greatest(low, :end)", end=stepped_or_not(first_step(end, end.place), end.place))


def last(run: Run) -> exp.Expr:
    """Where a run and low … upto cease to overlap, if they do."""
    end = run[1]
    if not isinstance(end.place, Decimal):
        return exp.column("upto")
    return expression("least(upto, :end)", end=stepped_or_not(last_step(end, end.place), end.place))


def stepped_or_not(step: int, place: Decimal) -> exp.Expr:
    """One end for whole steps, another for lengths."""
    if step == place:
        return number(place)
    return expression("CASE WHEN stepped = 1 THEN :step ELSE :place END", step=number(step), place=number(place))


def number(place: Decimal | str | int) -> exp.Expr:
    """A place on an axis as a DOUBLE."""
    digits = repr(float(place))
    return exp.Literal.number(digits if "e" in digits else f"{digits}e0")


def infinity(*, below: bool) -> exp.Expr:
    return expression("CAST('-inf' AS DOUBLE)" if below else "CAST('inf' AS DOUBLE)")
