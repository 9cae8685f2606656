"""Names in the files of sql/verify/, and what they stand for in a statement for one engine.

    qi                  all quasi-identifiers                      same(a.qi, b.qi)   equal in each of them, NULL too
    certain_rows()      the count of rows without wildcard matches
    exact(x)            a real number of up to 20 digits before the point, to be summed up in any order
    whole_number(x)     the same of a real number without a fraction, which may have 38
    bound('l')          the bound that the user gave, or NULL      real(x)            CAST(x AS DOUBLE)
    has_order()         whether the values of the sensitive attribute have an order
    star(x)             whether a value is the text `*`
    next_step(…)        what to try with a table, in the words of errors
    signature(n, share) what tells base values apart that differ in their shares
    enough_base_values(n)  whether there are l base values, or no rows (n = 0); in DuckDB, SA102 if not
    wild, could_be      NULL and '*' taken as wildcards, and what stands for '*' in a typed release
    as_published(x)     the value as the table has it
    list_item(x)        a number that may stand in a list; elsewhere, in a text
    without_nulls(…)    those that are there, as a list; elsewhere, as a text

so that the same text serves DuckDB and, through sqlglot, other engines. For these, `records` has numbers for classes
and for sensitive values (records_ranked.sql), so that every join is one of numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.statement.engine import DUCKDB, Engine, OtherEngine, blank
from sqlanon.statement.template import expression, number_literal

from .next_step import next_step
from .request import Verification

EXACT, WHOLE_NUMBER = "DECIMAL(38, 18)", "INT128"
"""Types in which sums of reals are the same in whatever order threads add them."""


class Words(ABC):
    """The meanings of names in the statement of one verification, on one engine."""

    engine: Engine
    suffix = ""
    """The ending of the engine's files of relations, where it has some for itself."""

    def __init__(self, request: Verification) -> None:
        self.request = request
        self.meanings: dict[str, Callable[..., exp.Expr]] = {
            "same": self.same,
            "certain_rows": self.certain_rows,
            "exact": self.exact,
            "whole_number": self.whole_number,
            "bound": self.bound,
            "real": lambda number: exp.cast(number, "DOUBLE"),
            "infinity": lambda: expression("CAST('inf' AS DOUBLE)"),
            "has_order": self.has_order,
            "star": self.star,
            "next_step": self.next_step,
            "signature": self.signature,
            "enough_base_values": self.enough_base_values,
            "wild": self.wild,
            "could_be": self.could_be,
            "as_published": self.as_published,
            "list_item": self.list_item,
            "without_nulls": self.without_nulls,
        }

    def expand(self, tree: exp.Select) -> exp.Select:
        """Write out what the names of a file stand for, the innermost first."""
        counts_people = self.request.entity is not None
        for holder in tree.find_all(exp.Select, exp.Group, exp.Order):
            kept = [item for item in holder.expressions if counts_people or item.alias_or_name != "person"]
            holder.set("expressions", [item for written in kept for item in self._write_out(written)])
        for call in reversed(list(tree.find_all(exp.Anonymous))):
            if meaning := self.meanings.get(call.name.lower()):  # a function of the engine stands for itself
                call.replace(meaning(*call.expressions))
        return tree

    def _write_out(self, item: exp.Expr) -> Sequence[exp.Expr]:
        """The quasi-identifiers where `qi` stands, also in an order; anything else as it is."""
        if isinstance(item, exp.Ordered) and is_qi(item.this):
            return [exp.Ordered(this=column, nulls_first=False) for column in self.columns(item.this)]
        if is_qi(item):
            return self.columns(item)
        return [item]

    def columns(self, item: exp.Expr) -> Sequence[exp.Column]:
        """The quasi-identifiers that `qi` or `keys.qi` stands for; another column for itself."""
        names = qi_names(self.request) if item.name == "qi" else [item.name]
        return [exp.column(name, table=item.args.get("table")) for name in names]

    def pairs(self, one: exp.Expr, other: exp.Expr) -> list[tuple[exp.Column, exp.Column]]:
        """The columns to compare, two by two."""
        return list(zip(self.columns(one), self.columns(other), strict=True))

    @abstractmethod
    def same(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        """Whether columns are equal, NULL too."""

    def certain_rows(self) -> exp.Expr:
        return expression("sum(certain)" if self.request.nulls == "wildcard" else "count(*)")

    @abstractmethod
    def exact(self, number: exp.Expr) -> exp.Expr:
        """A number in a type whose sums do not hang on their order."""

    @abstractmethod
    def whole_number(self, number: exp.Expr) -> exp.Expr:
        """A whole number in such a type."""

    def bound(self, name: exp.Expr) -> exp.Expr:
        bound = self.request.bound(name.name)
        return exp.null() if bound is None else number_literal(bound)

    @abstractmethod
    def has_order(self) -> exp.Expr:
        """Whether the sensitive attribute is a number or a date."""

    @abstractmethod
    def star(self, value: exp.Expr) -> exp.Expr:
        """Whether a value is the text `*`."""

    def next_step(self, rows: exp.Expr, values: exp.Expr, top: exp.Expr, max_l: exp.Expr) -> exp.Expr:
        return next_step(rows, values, top, max_l, of_people=self.request.entity is not None)

    @abstractmethod
    def signature(self, number: exp.Expr, share: exp.Expr) -> exp.Expr:
        """The shares that a base value has in published values, in the order of their numbers."""

    @abstractmethod
    def enough_base_values(self, rows: exp.Expr) -> exp.Expr:
        """TRUE, unless a table with rows has fewer base values than l."""

    def wild(self, columns: exp.Expr) -> exp.Expr:
        return exp.paren(exp.or_(*map(self.engine.is_wild, self.columns(columns))))

    def could_be(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        is_wild = self.engine.is_wild
        either = (exp.or_(exp.EQ(this=a, expression=b), is_wild(a), is_wild(b)) for a, b in self.pairs(one, other))
        return exp.and_(*either)

    @abstractmethod
    def as_published(self, value: exp.Expr) -> exp.Expr:
        """The value as the table has it."""

    @abstractmethod
    def list_item(self, number: exp.Expr) -> exp.Expr:
        """A number among those of a row."""

    @abstractmethod
    def without_nulls(self, *items: exp.Expr) -> exp.Expr:
        """The items that are there."""


class WordsInDuckDB(Words):
    """For DuckDB with sqlanon loaded."""

    engine = DUCKDB

    def same(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        return exp.and_(*(self.engine.same(a, b) for a, b in self.pairs(one, other)), copy=False)

    def exact(self, number: exp.Expr) -> exp.Expr:
        return exp.cast(number, EXACT)

    def whole_number(self, number: exp.Expr) -> exp.Expr:
        return exp.cast(number, WHOLE_NUMBER)

    def has_order(self) -> exp.Expr:
        return expression("_sqlanon_kind(typeof(value)) = 'range'")

    def star(self, value: exp.Expr) -> exp.Expr:
        return is_star(value)

    def signature(self, number: exp.Expr, share: exp.Expr) -> exp.Expr:
        return expression("list({'number': :number, 'share': :share} ORDER BY :number ASC)", number=number, share=share)

    def enough_base_values(self, rows: exp.Expr) -> exp.Expr:
        """TRUE, or SA102."""
        l = self.request.bound("l") or 0
        count = expression("(SELECT count(*) FROM base_values)")
        too_few = InvalidParameter(f"l = {l} is out of range.", f"It ends at the number of base values, {blank('n')}.")
        return expression(
            "CASE WHEN :rows > 0 AND :count < :l THEN :refused ELSE TRUE END",
            rows=rows,
            count=count,
            l=number_literal(l),
            refused=self.engine.raise_error(too_few, n=count),
        )

    def as_published(self, value: exp.Expr) -> exp.Expr:
        return value

    def list_item(self, number: exp.Expr) -> exp.Expr:
        return number

    def without_nulls(self, *items: exp.Expr) -> exp.Expr:
        """A list of the items that are there."""
        listed = exp.Array(expressions=[*items])
        return expression("list_filter(:items, lambda item: NOT item IS NULL)", items=listed)


class WordsElsewhere(Words):
    """For any other engine, where classes and sensitive values have numbers.

    `is_ordered` says whether the sensitive attribute is a number or a date: the statement is written without a look at
    the table.
    """

    suffix = "_ranked"

    def __init__(self, request: Verification, engine: OtherEngine, is_ordered: bool = False) -> None:
        super().__init__(request)
        self.engine = engine
        self.is_ordered = is_ordered

    def same(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        """The numbers of classes are compared in place of the quasi-identifiers."""
        numbers = (exp.column("class", table=item.args.get("table")) if is_qi(item) else item for item in (one, other))
        return exp.EQ(this=next(numbers), expression=next(numbers))

    def exact(self, number: exp.Expr) -> exp.Expr:
        return number

    def whole_number(self, number: exp.Expr) -> exp.Expr:
        return number

    def has_order(self) -> exp.Expr:
        return exp.convert(self.is_ordered)

    def star(self, value: exp.Expr) -> exp.Expr:
        """Of the number of a value."""
        stars = is_star(exp.column("published"))
        return expression("(:number IN (SELECT value FROM records WHERE :star))", number=value, star=stars)

    def signature(self, number: exp.Expr, share: exp.Expr) -> exp.Expr:
        """Without taxonomies, `*` is the only value that stands for several."""
        return exp.Min(this=share)

    def enough_base_values(self, rows: exp.Expr) -> exp.Expr:
        return exp.true()

    def as_published(self, value: exp.Expr) -> exp.Expr:
        return exp.column("published", table=value.args.get("table"))

    def list_item(self, number: exp.Expr) -> exp.Expr:
        """A number that is not negative as text, with nine digits after the point: engines differ in theirs."""
        return expression(
            """
            CASE
                WHEN :number < CAST('inf' AS DOUBLE) THEN
                    CAST(CAST(floor(:number + 0.5e-9) AS BIGINT) AS VARCHAR) || '.' || substring(CAST(
                        1000000000 + CAST(floor((:number + 0.5e-9 - floor(:number + 0.5e-9)) * 1e9) AS BIGINT)
                    AS VARCHAR), 2)
                WHEN NOT :number IS NULL THEN 'inf'
            END
            """,
            number=number,
        )

    def without_nulls(self, *items: exp.Expr) -> exp.Expr:
        """One text of the items that are there: engines have no list in common."""
        each = (expression("coalesce(', ' || CAST(:item AS VARCHAR), '')", item=item) for item in items)
        together = reduce(lambda one, other: exp.DPipe(this=one, expression=other, safe=True), each)
        return exp.Substring(this=together, start=exp.Literal.number(3))


def qi_names(request: Verification) -> list[str]:
    """Our names of the quasi-identifiers."""
    return [f"qi_{i}" for i in range(1, max(1, len(request.qi)) + 1)]


def is_qi(node: exp.Expr) -> bool:
    """Whether this stands for all quasi-identifiers."""
    return isinstance(node, exp.Column) and node.name == "qi"


def is_star(value: exp.Expr) -> exp.Expr:
    """Whether a value is the text `*`."""
    return expression("coalesce(CAST(:value AS VARCHAR) = '*', FALSE)", value=value)
