"""The right answers of every verification function, in plain Python: written to be read, with nothing done for speed.

A table is a list of Row. Measures that are ratios are exact Fractions; those with a logarithm are floats. None is NULL.
Nothing here imports sqlanon.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

Values = tuple[Hashable, ...]
"""The quasi-identifiers of a row."""

Measure = Fraction | float | int | None


@dataclass(frozen=True)
class Row:
    """A row of a table: its quasi-identifiers, its sensitive value, and whose it is (None is one person)."""

    qi: Values
    value: Any = None
    person: Hashable = None


@dataclass(frozen=True)
class Class:
    """An equivalence class and the table it is in."""

    qi: Values
    rows: tuple[Row, ...]
    table: tuple[Row, ...]
    by_person: bool

    def people(self, rows: Sequence[Row]) -> int:
        return len({row.person for row in rows}) if self.by_person else len(rows)

    @property
    def size(self) -> int:
        return self.people(self.rows)

    @property
    def counts(self) -> Counter[Any]:
        """How many rows have each sensitive value."""
        return Counter(row.value for row in self.rows)

    @property
    def heights(self) -> list[int]:
        """How many people have each sensitive value, most first."""
        return sorted(
            (self.people([row for row in self.rows if row.value == value]) for value in self.counts), reverse=True
        )

    @property
    def top_count(self) -> int:
        return self.heights[0]

    @property
    def entropy(self) -> float:
        """In nats."""
        return -sum(float(q) * math.log(q) for q in shares(self.rows).values()) + 0.0

    @property
    def entropy_l(self) -> float:
        """Exact where all values are equally frequent: then it is their number."""
        counts = self.counts
        return float(len(counts)) if len(set(counts.values())) == 1 else math.exp(self.entropy)

    @property
    def t(self) -> Fraction:
        """The earth mover's distance to the table where any two values are 1 apart: half the sum of differences."""
        q, p = shares(self.rows), shares(self.table)
        return sum((abs(q.get(value, Fraction(0)) - p[value]) for value in p), Fraction(0)) / 2

    @property
    def t_ordered(self) -> Fraction:
        """The earth mover's distance where values are one step apart, from the first to the last: 1."""
        q, p = shares(self.rows), shares(self.table)
        if len(p) == 1:
            return Fraction(0)
        running, moved = Fraction(0), Fraction(0)
        for value in in_order(p):
            running += q.get(value, Fraction(0)) - p[value]
            moved += abs(running)
        return moved / (len(p) - 1)

    @property
    def basic_beta(self) -> Fraction:
        q, p = shares(self.rows), shares(self.table)
        return max((q[value] - p[value]) / p[value] for value in q)

    @property
    def shares_that_rise(self) -> dict[Any, Fraction]:
        """Sensitive value → by how much of its share in the table it has more in the class."""
        q, p = shares(self.rows), shares(self.table)
        return {value: (q[value] - p[value]) / p[value] for value in q if q[value] > p[value]}

    @property
    def some_beta_holds(self) -> bool:
        """Whether no share rises by more than its own -ln p."""
        p = shares(self.table)
        return all(below_minus_ln(rise, p[value]) for value, rise in self.shares_that_rise.items())

    def excesses(self, beta: float) -> list[float]:
        """By how much shares rise beyond beta, or beyond their own -ln p: those that do."""
        p = shares(self.table)
        return [
            float(rise) - min(beta, -math.log(p[value]))
            for value, rise in self.shares_that_rise.items()
            if rise > beta or not below_minus_ln(rise, p[value])
        ]

    @property
    def delta(self) -> float:
        q, p = shares(self.rows), shares(self.table)
        return max(abs(math.log(q[value] / p[value])) if value in q else math.inf for value in p)

    def tail(self, l: int) -> int:
        """The people of the l-th most frequent value and of all after it."""
        return sum(self.heights[l - 1 :])

    def c(self, l: int) -> Fraction | None:
        """The largest c for which the class is not recursive (c,l)-diverse."""
        return Fraction(self.top_count, self.tail(l)) if self.tail(l) else None


def shares(rows: Sequence[Row]) -> dict[Any, Fraction]:
    """Sensitive value → its share of the rows."""
    return {value: Fraction(n, len(rows)) for value, n in Counter(row.value for row in rows).items()}


def below_minus_ln(rise: Fraction, p: Fraction) -> bool:
    """Whether rise <= -ln p, to 60 digits. The two are never equal: the logarithm of a fraction below 1 is none."""
    with localcontext(prec=60):
        minus_ln = (Decimal(p.denominator) / Decimal(p.numerator)).ln()
        return Decimal(rise.numerator) / Decimal(rise.denominator) < minus_ln


def enhanced_beta(found: Sequence[Class]) -> Fraction | None:
    """The smallest beta with (q - p) / p <= min(beta, -ln p) for every share that rises in a class; None: no beta."""
    if not found or not all(one.some_beta_holds for one in found):
        return None
    return max((rise for one in found for rise in one.shares_that_rise.values()), default=Fraction(0))


def in_order(values: Any) -> list[Any]:
    """NULL comes last."""
    return sorted(value for value in values if value is not None) + [value for value in values if value is None]


def is_wild(value: Hashable) -> bool:
    return value is None or value == "*"


def could_be(one: Values, other: Values) -> bool:
    """Whether two rows agree wherever neither has a wildcard."""
    return all(a == b or is_wild(a) or is_wild(b) for a, b in zip(one, other, strict=True))


def classes(rows: Sequence[Row], nulls: str = "value", by_person: bool = False) -> list[Class]:
    """The equivalence classes of a table."""
    if nulls == "exclude":
        rows = [row for row in rows if not any(map(is_wild, row.qi))]
    same: Callable[[Values, Values], bool] = could_be if nulls == "wildcard" else (lambda one, other: one == other)
    return [
        Class(qi, tuple(row for row in rows if same(qi, row.qi)), tuple(rows), by_person)
        for qi in dict.fromkeys(row.qi for row in rows)
    ]


def whole(rows: Sequence[Row]) -> list[Class]:
    """The table as its one class; none where it is empty."""
    return classes([Row((), row.value) for row in rows])


def largest(measures: Sequence[Any]) -> Any:
    return max(measures, default=None)


def smallest(measures: Sequence[Any]) -> Any:
    return min(measures, default=None)


def privacy(found: Sequence[Class], ordered: bool) -> dict[str, Measure]:
    """The weakest class by each measure."""
    table = found[0].table if found else ()
    return {
        "rows": len(table),
        "classes": len(found),
        "k": smallest([one.size for one in found]),
        "distinct_l": smallest([len(one.counts) for one in found]),
        "frequency_l": smallest([Fraction(one.size, one.top_count) for one in found]),
        "entropy_l": smallest([one.entropy_l for one in found]),
        "unique_distinct_l": unique_distinct_l(found),
        "t": largest([one.t for one in found]),
        "t_ordered": largest([one.t_ordered for one in found]) if ordered else None,
        "alpha": largest([Fraction(one.top_count, one.size) for one in found]),
        "basic_beta": largest([one.basic_beta for one in found]),
        "enhanced_beta": enhanced_beta(found),
        "delta_disclosure": largest([one.delta for one in found]),
    }


def unique_distinct_l(found: Sequence[Class]) -> int | None:
    """The l of a table whose every class has exactly l values, each once."""
    shapes = {tuple(sorted(one.counts.values())) for one in found}
    if len(shapes) != 1:
        return None
    (shape,) = shapes
    return len(shape) if set(shape) == {1} else None


def recursive_c(found: Sequence[Class], l: int) -> Fraction | None:
    """The infimum of c for which every class is recursive (c,l)-diverse; None where there is no such c."""
    each = [one.c(l) for one in found]
    return None if None in each else largest(each)


def violations(
    found: Sequence[Class],
    k: int | None = None,
    l: float | None = None,
    entropy_l: float | None = None,
    t: float | None = None,
    c: float | None = None,
    distinct_l: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
) -> dict[Values, tuple[list[str], list[float]]]:
    """The classes that break a bound: which, and by how much."""
    broken: dict[Values, tuple[list[str], list[float]]] = {}
    for one in found:
        by: dict[str, float] = {}
        if k is not None and one.size < k:
            by["k"] = k - one.size
        if l is not None and one.size / one.top_count < l:
            by["l"] = l - one.size / one.top_count
        if distinct_l is not None and len(one.counts) < distinct_l:
            by["distinct_l"] = distinct_l - len(one.counts)
        if entropy_l is not None and one.entropy_l < entropy_l:
            by["entropy_l"] = entropy_l - one.entropy_l
        if t is not None and float(one.t) > t:
            by["t"] = float(one.t) - t
        if c is not None and l is not None and not one.top_count < c * one.tail(int(l)):
            ratio = one.c(int(l))
            by["c"] = math.inf if ratio is None else float(ratio) - c
        if beta is not None and (excesses := one.excesses(beta)):
            by["beta"] = max(excesses)
        if delta is not None and one.delta > delta:
            by["delta"] = one.delta - delta
        if by:
            broken[one.qi] = (list(by), list(by.values()))
    return broken


def smallest_class_of_each_person(found: Sequence[Class]) -> list[int]:
    """Per person of the table, the size of the smallest class that a row of theirs is in, and not for a wildcard."""
    sizes: dict[Hashable, list[int]] = {}
    for one in found:
        for number, row in enumerate(one.table):
            if row.qi == one.qi:
                sizes.setdefault(row.person if one.by_person else number, []).append(one.size)
    return [min(of_person) for of_person in sizes.values()]


def risk(found: Sequence[Class], threshold: Fraction) -> dict[str, Measure]:
    """The risk of a person is 1 / the size of their class, the smallest if they are in several."""
    risks = [Fraction(1, size) for size in smallest_class_of_each_person(found)]
    people = len(risks)
    return {
        "people": people,
        "classes": len(found),
        "smallest_class": smallest([one.size for one in found]),
        "prosecutor": largest(risks),
        "marketer": sum(risks, Fraction(0)) / people if people else None,
        "above_threshold": Fraction(sum(risk > threshold for risk in risks), people) if people else None,
        "unique_people": sum(risk == 1 for risk in risks),
    }


def risk_by_size(found: Sequence[Class]) -> list[tuple[Measure, ...]]:
    """Size, classes, people, share and risk, smallest size first."""
    people = smallest_class_of_each_person(found)
    answer: list[tuple[Measure, ...]] = []
    for size, n in sorted(Counter(one.size for one in found).items()):
        exposed = people.count(size)
        answer.append((size, n, exposed, Fraction(exposed, len(people)), Fraction(1, size)))
    return answer


def eligibility(rows: Sequence[Row]) -> dict[str, Measure]:
    counts = Counter(row.value for row in rows)
    top = largest(list(counts.values()))
    largest_l = None if top is None else len(rows) // top
    return {
        "rows": len(rows),
        "distinct_values": len(counts),
        "top_count": top,
        "max_l": largest_l,
        "optimal_l": None if largest_l is None else max(2, largest_l),
        "next_step": next_step(len(rows), sorted(counts.values(), reverse=True)),
    }


def next_step(rows: int, counts: list[int]) -> str:
    """The largest l; if that is 1, labels, or as many rows fewer as it takes, up to a fifth."""
    if not counts:
        return "Nothing can be published from it."
    if rows // counts[0] >= 2:
        return f"Try ldiverse(…, {rows // counts[0]})."
    if len(counts) == 1:
        return "No release can hide the only value that there is."
    answer = (
        "No l-diverse release of this table exists. Try taudiverse(…, 0.5, 2), which generalizes sensitive values, "
        "too; whoever knows which value is frequent knows what most labels stand for."
    )
    for percent in range(21):
        left = rows * Fraction(100 - percent, 100)
        if counts[0] - (rows - left) <= left / 2:
            suppress = f"algo := 'incognito', options := {{'suppress': 0.{percent:02d}}}"
            return f"{answer} Or leave rows out: {suppress}, or more, may do."
    return answer


def eligible_c(rows: Sequence[Row], l: int) -> dict[str, Measure]:
    c = recursive_c(whole(rows), l)
    return {
        "rows": len(rows),
        "distinct_values": len({row.value for row in rows}),
        "c": c,
        "min_c": None if c is None else math.floor(c) + 1,
    }


def buckets(rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    """Value, count, share and rank: the most frequent first, then in the order of values."""
    counts = Counter(row.value for row in rows)
    ordered = sorted(in_order(counts), key=lambda value: -counts[value])
    return [(value, counts[value], Fraction(counts[value], len(rows)), i) for i, value in enumerate(ordered, 1)]
