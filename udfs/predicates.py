"""A user's own conditions, read into the codes that satisfy them.

A condition is a conjunction of parts that concern one column each; within a part, AND, OR and NOT go as deep as they
like. NULL is neither true nor false, as in SQL.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import reduce
from typing import NamedTuple

import numpy as np
import sqlglot
from numpy.typing import NDArray
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter, WrongColumn

from .literals import Key, key_reader
from .workload import Attribute, Query

HANDLED = (
    "What can be: =, <>, <, <=, >, >=, BETWEEN, IN and IS NULL with literals, AND, and OR and NOT within one column."
)
COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE}
TIMESTAMPS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
TYPED: dict[object, tuple[str, ...]] = {
    exp.DataType.Type.DATE: ("DATE", *TIMESTAMPS),
    exp.DataType.Type.TIMESTAMPNTZ: TIMESTAMPS,
    exp.DataType.Type.TIMESTAMPTZ: ("TIMESTAMP WITH TIME ZONE",),
    exp.DataType.Type.TIME: ("TIME", "TIME_NS"),
}
"""The types of columns that DATE '…' and the like are compared with as they stand."""

Flags = NDArray[np.bool_]


class Truth(NamedTuple):
    """Per code, whether a condition is true and whether it is unknown."""

    true: Flags
    unknown: Flags


class Unhandled(Exception):
    """What cannot be estimated, in words that hold no value."""


class Absent(Exception):
    """A column that is not among those compared."""


class Scale:
    """The values of a column in their order, to place literals among them."""

    def __init__(self, attribute: Attribute) -> None:
        self.attribute = attribute
        self.key = key_reader(attribute.type_name)
        self.null: Flags = np.array([label is None for label in attribute.labels], np.bool_)
        keyed = sorted(self.keyed(), key=lambda pair: pair[0])
        self.keys = [key for key, _ in keyed]
        self.codes = np.array([code for _, code in keyed], np.int64)

    def keyed(self) -> Iterator[tuple[Key, int]]:
        for code, label in enumerate(self.attribute.labels):
            if label is not None:
                with suppress(ValueError):  # a leaf of a taxonomy that the column's type cannot hold: no row has it
                    yield self.key(label, False), code

    def between(self, low: int, high: int) -> Truth:
        """True for the values at these places in their order."""
        true = np.zeros(self.null.size, np.bool_)
        true[self.codes[low:high]] = True
        return Truth(true, self.null)

    def unknown(self) -> Truth:
        return Truth(np.zeros(self.null.size, np.bool_), np.ones(self.null.size, np.bool_))

    def compare(self, how: type[exp.Expr], literal: exp.Expr) -> Truth:
        """Column <how> literal."""
        key = self.literal(literal)
        if key is None:
            return self.unknown()
        below, upto, size = bisect_left(self.keys, key), bisect_right(self.keys, key), len(self.keys)
        if how is exp.NEQ:
            return negated(self.between(below, upto))
        places: dict[type[exp.Expr], tuple[int, int]] = {
            exp.EQ: (below, upto),
            exp.LT: (0, below),
            exp.LTE: (0, upto),
            exp.GT: (upto, size),
            exp.GTE: (below, size),
        }
        return self.between(*places[how])

    def literal(self, node: exp.Expr) -> Key | None:
        """The key of a literal; None for NULL."""
        node = node.unnest()
        if isinstance(node, exp.Null):
            return None
        try:
            return self.key(*literal_text(node, self.attribute.type_name))
        except ValueError:
            outline = self.attribute.type_name.partition("(")[0]  # the values of an ENUM are data
            raise Unhandled(f"a literal that is not read as {outline}") from None


def literal_text(node: exp.Expr, type_name: str) -> tuple[str, bool]:
    """The text of a literal, and whether it is a bare number; a literal with a type of its own must be the column's."""
    if isinstance(node, exp.Literal):
        return node.name, not node.is_string
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal) and not node.this.is_string:
        return f"-{node.this.name}", True
    if isinstance(node, exp.Boolean) and type_name == "BOOLEAN":
        return str(node.this).lower(), False
    if isinstance(node, exp.Cast) and node.this.is_string and type_name in TYPED.get(node.to.this, ()):
        if node.to.this == exp.DataType.Type.DATE and ":" in node.this.name:
            raise ValueError("a date with a time")
        return str(node.this.name), False
    raise Unhandled(construct(node))


class Reader:
    """Reads conditions on the columns of a source."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        self.places = {fold(attribute.name): place for place, attribute in enumerate(attributes)}
        self.scales: dict[int, Scale] = {}

    def read(self, predicate: str, query_id: int) -> Query:
        """The codes that satisfy each column's part of a condition."""
        try:
            return Query(predicate, self.wanted(predicate))
        except Unhandled as problem:
            raise InvalidParameter(
                f"predicates: query {query_id} has {problem}, which cannot be estimated.", HANDLED
            ) from None
        except (SqlglotError, RecursionError):
            raise InvalidParameter(f"predicates: query {query_id} is not one condition.", HANDLED) from None
        except Absent as absent:
            raise WrongColumn(
                f"predicates: query {query_id} has column {str(absent)!r}, which is not in qi or sa."
            ) from None

    def wanted(self, predicate: str) -> dict[int, NDArray[np.uint8]]:
        statements = sqlglot.parse(predicate, dialect="duckdb")
        if len(statements) != 1 or statements[0] is None:
            raise Unhandled("not one condition but several or none")
        wanted: dict[int, NDArray[np.uint8]] = {}
        for part in conjuncts(statements[0]):
            place = self.only_column(part)
            if place not in self.scales:
                self.scales[place] = Scale(self.attributes[place])
            true = evaluate(part, self.scales[place]).true.astype(np.uint8)
            wanted[place] = wanted[place] & true if place in wanted else true
        return dict(sorted(wanted.items()))

    def only_column(self, part: exp.Expr) -> int:
        """The place of the one column that a part concerns."""
        places = set()
        for column in part.find_all(exp.Column):
            if column.table or fold(column.name) not in self.places:
                raise Absent(column.sql("duckdb") if column.table else column.name)
            places.add(self.places[fold(column.name)])
        if len(places) != 1:
            across = f"{construct(part)} across several columns" if places else f"{construct(part)} without a column"
            raise Unhandled(across)
        return places.pop()


def conjuncts(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a conjunction."""
    waiting = [tree]
    while waiting:
        node = waiting.pop().unnest()
        if isinstance(node, exp.And):
            waiting += [node.right, node.left]
        else:
            yield node


def evaluate(node: exp.Expr, scale: Scale) -> Truth:
    """What a condition on one column says of each of its codes."""
    node = node.unnest()
    if isinstance(node, exp.And | exp.Or):
        left, right = evaluate(node.left, scale), evaluate(node.right, scale)
        return either(left, right) if isinstance(node, exp.Or) else both(left, right)
    if isinstance(node, exp.Not):
        return negated(evaluate(node.this, scale))
    if isinstance(node, COMPARISONS):
        if is_column(node.left):
            return scale.compare(type(node), node.right)
        if is_column(node.right):
            return scale.compare(FLIPPED.get(type(node), type(node)), node.left)
    if isinstance(node, exp.Column) and scale.attribute.type_name == "BOOLEAN":
        return scale.compare(exp.EQ, exp.true())
    if isinstance(node, exp.Is) and is_column(node.this) and isinstance(node.expression, exp.Null):
        return Truth(scale.null, np.zeros(scale.null.size, np.bool_))
    if isinstance(node, exp.Between) and is_column(node.this) and not node.args.get("symmetric"):
        return both(scale.compare(exp.GTE, node.args["low"]), scale.compare(exp.LTE, node.args["high"]))
    if isinstance(node, exp.In) and is_column(node.this) and node.expressions:
        return reduce(either, (scale.compare(exp.EQ, item) for item in node.expressions))
    raise Unhandled(construct(node))


def is_column(node: exp.Expr) -> bool:
    return isinstance(node.unnest(), exp.Column)


def negated(truth: Truth) -> Truth:
    return Truth(~truth.true & ~truth.unknown, truth.unknown)


def both(left: Truth, right: Truth) -> Truth:
    return negated(either(negated(left), negated(right)))


def either(left: Truth, right: Truth) -> Truth:
    true = left.true | right.true
    return Truth(true, (left.unknown | right.unknown) & ~true)


def construct(node: exp.Expr) -> str:
    """What SQL calls it."""
    return node.name.upper() if isinstance(node, exp.Anonymous) else node.key.upper()
