"""Which fraction of a part (label, or low to high) lies in a set of values, as SQL over the columns of parts_*.

Whole numbers and days are counted (stepped = 1, and upto = high + 1); anything else is measured by length (upto =
high), where a single value is a point: all in or all out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from sqlanon.statement.template import expression, text

from .reader import Reader
from .regions import End, Regions, first_step, last_step

Run = tuple[End, End]


@dataclass(frozen=True)
class Overlap:
    """The values of a column, cut into regions, and how an engine writes the constants that cut them."""

    regions: Regions
    reader: Reader

    def fraction(self, chosen: frozenset[int]) -> exp.Expr:
        """The fraction of a part that lies in a set, 0 to 1."""
        return self._by_axis(chosen, "0", "1", self._share)

    def possible(self, chosen: frozenset[int]) -> exp.Expr:
        """Whether a part has a value in a set."""
        return self._by_axis(chosen, "FALSE", "TRUE", self._meets)

    def mean(self, chosen: frozenset[int]) -> exp.Expr:
        """The fraction times the mean of the values in it; 0 where there are none."""
        return sum_of([
            expression(
                "CASE WHEN :meets AND NOT low IS NULL THEN :share * (:first + :last - stepped) / 2 ELSE 0 END",
                meets=self._meets(run), share=self._share(run), first=self._first(run), last=self._last(run),
            )
            for run in self.regions.runs(chosen)
        ])  # fmt: skip

    def reach(self, chosen: frozenset[int]) -> tuple[exp.Expr, exp.Expr]:
        """The lowest and the highest value of a part in a set, if there is one."""
        lowest, highest = exp.Case(), exp.Case()
        runs = self.regions.runs(chosen)
        if not runs:
            return exp.null(), exp.null()
        for run in runs:
            lowest = lowest.when(self._meets(run), self._first(run))
        for run in reversed(runs):
            highest = highest.when(self._meets(run), expression(":last - stepped", last=self._last(run)))
        return lowest, highest

    def position(self, position: Decimal | str) -> exp.Expr:
        """A constant on its axis."""
        assert isinstance(position, Decimal)
        return self.reader.position(self.regions, position)

    def _by_axis(self, chosen: frozenset[int], no: str, yes: str, of_run: Callable[[Run], exp.Expr]) -> exp.Expr:
        """The same question for NULL, for text, and for what is measured."""
        regions = self.regions
        null, known = regions.null in chosen, frozenset(range(regions.null))
        if not chosen & known:
            return expression(f"CASE WHEN label IS NULL AND low IS NULL THEN {yes} ELSE {no} END" if null else no)
        if chosen >= known:
            return expression(yes if null else f"CASE WHEN label IS NULL AND low IS NULL THEN {no} ELSE {yes} END")
        among = expression(f"CASE WHEN :among THEN {yes} ELSE {no} END", among=self._among_texts(chosen))
        inside = among
        if regions.axis != "text":
            each = [of_run(run) for run in regions.runs(chosen)]
            inside = exp.paren(exp.or_(*each)) if yes == "TRUE" else sum_of(each)
        if regions.axis == "iso":
            inside = expression("CASE WHEN axis = 'text' THEN :among ELSE :inside END", among=among, inside=inside)
        missing = yes if null else no
        return expression(f"CASE WHEN label IS NULL AND low IS NULL THEN {missing} ELSE :inside END", inside=inside)

    def _among_texts(self, chosen: frozenset[int]) -> exp.Expr:
        """Whether a label lies in a set: among its constants, or not among the others, where order plays no part."""
        regions, label = self.regions, exp.column("label")
        names = {2 * i + 1: text(value) for i, value in enumerate(regions.texts)}
        if not regions.gaps & chosen:
            return exp.In(this=label, expressions=[name for region, name in names.items() if region in chosen])
        if regions.gaps <= chosen:
            others = [name for region, name in names.items() if region not in chosen]
            return exp.not_(exp.In(this=label, expressions=others))
        texts = dict(zip(regions.points, regions.texts, strict=True))
        return exp.or_(
            *(inside(run, label, label, lambda position: text(texts[position])) for run in self.regions.runs(chosen))
        )

    def _share(self, run: Run) -> exp.Expr:
        """The fraction of low … high in a run of values."""
        return expression(
            """
            CASE
                WHEN upto > low THEN greatest(0e0, :last - :first) / (upto - low)
                WHEN :inside THEN 1
                ELSE 0
            END
            """,
            first=self._first(run),
            last=self._last(run),
            inside=self._touches(run),
        )

    def _meets(self, run: Run) -> exp.Expr:
        """Whether low … high has a value in a run."""
        return expression(
            "CASE WHEN stepped = 1 AND low < high THEN :last > :first ELSE :inside END",
            first=self._first(run),
            last=self._last(run),
            inside=self._touches(run),
        )

    def _touches(self, run: Run) -> exp.Expr:
        """Whether low … high, all of it, meets a run."""
        return inside(run, exp.column("high"), exp.column("low"), self.position)

    def _first(self, run: Run) -> exp.Expr:
        """Where a run and low … upto begin to overlap, if they do."""
        end = run[0]
        if not isinstance(end.position, Decimal):
            return exp.column("low")
        return expression("greatest(low, :end)", end=self._stepped_or_not(first_step(end, end.position), end.position))

    def _last(self, run: Run) -> exp.Expr:
        """Where a run and low … upto cease to overlap, if they do."""
        end = run[1]
        if not isinstance(end.position, Decimal):
            return exp.column("upto")
        return expression("least(upto, :end)", end=self._stepped_or_not(last_step(end, end.position), end.position))

    def _stepped_or_not(self, step: int, position: Decimal) -> exp.Expr:
        """One end for whole steps, another for lengths."""
        constant = self.position(position)
        if step == position and isinstance(constant, exp.Literal):
            return constant
        return expression(
            "CASE WHEN stepped = 1 THEN :step ELSE :position END",
            step=self.reader.position(self.regions, step),
            position=constant,
        )


def inside(run: Run, above: exp.Expr, below: exp.Expr, write: Callable[[Decimal | str], exp.Expr]) -> exp.Expr:
    """Whether one value lies above the low end of a run, and another below its high end."""
    low, high = run
    sides: list[exp.Expr] = []
    if low.position is not None:
        sides.append((exp.GTE if low.closed else exp.GT)(this=above.copy(), expression=write(low.position)))
    if high.position is not None:
        sides.append((exp.LTE if high.closed else exp.LT)(this=below.copy(), expression=write(high.position)))
    return exp.and_(*sides) if sides else exp.true()


def sum_of(terms: list[exp.Expr]) -> exp.Expr:
    """A sum; 0 of nothing."""
    total: exp.Expr = terms[0] if terms else expression("0e0")
    for term in terms[1:]:
        total = exp.Add(this=total, expression=term)
    return total
