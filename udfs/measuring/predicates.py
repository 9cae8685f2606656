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
from numpy.typing import NDArray
from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.errors import WrongColumn
from sqlanon.queries.conditions import (
    NUMBERS,
    Comparison,
    Condition,
    ConditionReader,
    Constant,
    parse_condition,
    refused,
    what,
)

from .literals import Key, key_reader
from .workload import Attribute, Query

TIMESTAMPS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
COMPARED_AS_THEY_STAND: dict[str, tuple[str, ...]] = {
    "DATE": ("DATE", *TIMESTAMPS),
    "TIMESTAMP": TIMESTAMPS,
    "TIMESTAMPTZ": ("TIMESTAMP WITH TIME ZONE",),
    "TIME": ("TIME", "TIME_NS"),
    "BOOLEAN": ("BOOLEAN",),
}
"""The types of columns that constants with a type of their own are compared with."""

Flags = NDArray[np.bool_]


class Truth(NamedTuple):
    """Per code, whether a condition is true and whether it is unknown."""

    true: Flags
    unknown: Flags


class Scale:
    """The values of a column in their order, to place constants among them."""

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

    def evaluate(self, condition: Condition) -> Truth:
        """What a condition on this column says of each of its codes."""
        nowhere: Flags = np.zeros(self.null.size, np.bool_)
        if condition is None or isinstance(condition, bool):
            return Truth(nowhere | bool(condition), nowhere | (condition is None))
        if isinstance(condition, Comparison):
            if condition.operator == "null":
                return Truth(self.null, nowhere)
            return reduce(either, (self.compare(condition.operator, each) for each in condition.constants))
        word, *parts = condition
        truths = [self.evaluate(part) for part in parts]  # type: ignore[arg-type]
        return negated(truths[0]) if word == "not" else reduce(both if word == "and" else either, truths)

    def compare(self, operator: str, constant: Constant) -> Truth:
        """Column <operator> constant."""
        key = self.place(constant)
        below, upto, size = bisect_left(self.keys, key), bisect_right(self.keys, key), len(self.keys)
        low, high = {
            "in": (below, upto), "<": (0, below), "<=": (0, upto), ">": (upto, size), ">=": (below, size)
        }[operator]  # fmt: skip
        true = np.zeros(self.null.size, np.bool_)
        true[self.codes[low:high]] = True
        return Truth(true, self.null)

    def place(self, constant: Constant) -> Key:
        """The key of a constant; ValueError if the column's type does not read it as it stands."""
        type_name = self.attribute.type_name
        bare = constant.type in NUMBERS
        if not bare and constant.type != "VARCHAR" and type_name not in COMPARED_AS_THEY_STAND.get(constant.type, ()):
            raise ValueError("a constant of another type")
        if constant.type == "DATE" and ":" in constant.text:
            raise ValueError("a date with a time")
        if constant.type == "DOUBLE" and type_name == "FLOAT":
            raise ValueError("a DOUBLE among FLOATs")
        return self.key(constant.text, bare)


class PredicateReader(ConditionReader):
    """Reads conditions on the columns of a source."""

    def __init__(self, subject: str, places: dict[str, int]) -> None:
        super().__init__(subject)
        self.places = places

    def column(self, node: exp.Column) -> int:
        """The number of a column of the source."""
        if node.table or fold(node.name) not in self.places:
            name = node.sql("duckdb") if node.table else node.name
            raise WrongColumn(f"{self.subject} has column {name!r}, which is not in qi or sa.")
        return super().column(node)


class Reader:
    """Reads predicates on the columns of a source."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        self.places = {fold(attribute.name): place for place, attribute in enumerate(attributes)}
        self.scales: dict[int, Scale] = {}

    def read(self, predicate: str, query_id: int) -> Query:
        """The codes that satisfy each column's part of a condition."""
        subject = f"predicates: query {query_id}"
        wanted: dict[int, NDArray[np.uint8]] = {}
        for part in conjuncts(parse_condition(predicate, subject)):
            reader = PredicateReader(subject, self.places)
            condition = reader.condition(part)
            if len(reader.names) != 1:
                across = "across several columns" if reader.names else "without a column"
                raise refused(subject, f"{what(part)} {across}")
            place = self.places[fold(reader.names[0])]
            if place not in self.scales:
                self.scales[place] = Scale(self.attributes[place])
            try:
                true = self.scales[place].evaluate(condition).true.astype(np.uint8)
            except ValueError:
                outline = self.attributes[place].type_name.partition("(")[0]  # the values of an ENUM are data
                raise refused(subject, f"a constant that is not read as {outline}") from None
            wanted[place] = wanted[place] & true if place in wanted else true
        return Query(predicate, dict(sorted(wanted.items())))


def conjuncts(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a conjunction."""
    waiting = [tree]
    while waiting:
        node = waiting.pop().unnest()
        if isinstance(node, exp.And):
            waiting += [node.right, node.left]
        else:
            yield node


def negated(truth: Truth) -> Truth:
    return Truth(~truth.true & ~truth.unknown, truth.unknown)


def both(left: Truth, right: Truth) -> Truth:
    return negated(either(negated(left), negated(right)))


def either(left: Truth, right: Truth) -> Truth:
    true = left.true | right.true
    return Truth(true, (left.unknown | right.unknown) & ~true)
