"""The WHERE of an analyst's query: comparisons of one column with constants, AND, OR, NOT."""

from __future__ import annotations

import datetime
import re
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter
from sqlanon.refusals import FINE_DAYS

from .sets import Atom, Condition, Constant, all_of, any_of

COMPARED: dict[type[exp.Expr], tuple[str, str]] = {
    exp.LT: ("<", ">"), exp.LTE: ("<=", ">="), exp.GT: (">", "<"), exp.GTE: (">=", "<="),
    exp.EQ: ("=", "="), exp.NEQ: ("<>", "<>"), exp.NullSafeEQ: ("same", "same"), exp.NullSafeNEQ: ("other", "other"),
}  # fmt: skip
"""Each comparison, and what it becomes when its sides change places."""
ISO = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")
OFFSET = re.compile(r"(Z|[+-]\d{2}(:?\d{2}){0,2})$")
"""At the end of a moment that has a time zone."""
TIMES = {
    "DATE": "DATE", "TIMESTAMP": "TIMESTAMP", "DATETIME": "TIMESTAMP", "TIMESTAMPNTZ": "TIMESTAMP",
    "TIMESTAMP_S": "TIMESTAMP_S", "TIMESTAMP_MS": "TIMESTAMP_MS",
    "TIMESTAMPTZ": "TIMESTAMPTZ", "TIMESTAMPLTZ": "TIMESTAMPTZ",
}  # fmt: skip
"""The types of dates and moments, as sqlglot calls them, and as DuckDB does."""
STEPS = {"TIMESTAMP_S": 1_000_000, "TIMESTAMP_MS": 1_000}
"""The microseconds between two values of a type that rounds."""
MOST_DIGITS = 38
"""A number with a point and more digits than a DECIMAL has is a DOUBLE, and so is one with an exponent."""
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
DEEPEST = 400
LARGEST = Decimal("1e300")


def refused(construct: str) -> InvalidParameter:
    """The error of what cannot be estimated."""
    return InvalidParameter(
        f"query: {construct} cannot be estimated.",
        "A query is one of count(*), sum(column), avg(column) of one table, with WHERE (=, <>, <, <=, >, >=, IN, "
        "BETWEEN, IS NULL, AND, OR, NOT, of a column and constants) and GROUP BY columns.",
    )


class ConditionReader:
    """Reads conditions, and numbers the columns that it meets."""

    def __init__(self, tables: set[str]) -> None:
        self.tables = tables
        self.names: list[str] = []
        self._places: dict[str, int] = {}

    def column(self, node: exp.Column) -> int:
        """The number of a column. Names differ by more than the case of ASCII letters."""
        if node.table and fold(node.table) not in self.tables:
            raise InvalidParameter(f"query: there is no table {node.table!r} in its FROM.", "Name its one table.")
        folded = fold(node.name)
        if folded not in self._places:
            self._places[folded] = len(self.names)
            self.names.append(node.name)
        return self._places[folded]

    def condition(self, node: exp.Expr, depth: int = 0) -> Condition:
        """Read a condition."""
        if depth > DEEPEST:
            raise InvalidParameter("query: its condition is nested too deeply.", "Write it with IN or BETWEEN.")
        if isinstance(node, exp.Paren):
            return self.condition(node.this, depth + 1)
        if isinstance(node, exp.And | exp.Or):
            together = all_of if isinstance(node, exp.And) else any_of
            return together([self.condition(part, depth + 1) for part in node.flatten()])
        if isinstance(node, exp.Not):
            return negated(self.condition(node.this, depth + 1))
        if isinstance(node, exp.Boolean):
            return bool(node.this)
        if isinstance(node, exp.Null):
            return None
        if isinstance(node, exp.Column):
            return Atom(self.column(node), "in", (Constant("text", "true", "true"),))
        if type(node) in COMPARED:
            return self._comparison(node)
        if isinstance(node, exp.Between) and not node.args.get("symmetric"):
            column = self._column_of(node.this)
            low, high = alike(constant(node.args["low"]), constant(node.args["high"]))
            return all_of([compared(column, ">=", low), compared(column, "<=", high)])
        if isinstance(node, exp.In) and not set(node.args) & {"query", "unnest", "field"} - empty(node):
            column = self._column_of(node.this)
            return any_of([compared(column, "=", each) for each in alike(*map(constant, node.expressions))])
        if isinstance(node, exp.Is):
            return self._is(node)
        raise refused(what(node))

    def _comparison(self, node: exp.Expr) -> Condition:
        one, other = bare(node.this), bare(node.expression)
        straight, turned = COMPARED[type(node)]
        if isinstance(one, exp.Column) and isinstance(other, exp.Column):
            raise refused("a comparison of two columns")
        if isinstance(one, exp.Column):
            return compared(self.column(one), straight, constant(other))
        if not isinstance(other, exp.Column):
            raise refused(what(other if isinstance(one, exp.Literal) else one))
        return compared(self._column_of(other), turned, constant(one))

    def _is(self, node: exp.Is) -> Condition:
        if isinstance(node.expression, exp.Null):
            return Atom(self._column_of(node.this), "null")
        if isinstance(node.expression, exp.Boolean):
            return compared(self._column_of(node.this), "same", constant(node.expression))
        raise refused("IS")

    def _column_of(self, node: exp.Expr) -> int:
        node = bare(node)
        if not isinstance(node, exp.Column):
            raise refused(what(node))
        return self.column(node)


def empty(node: exp.Expr) -> set[str]:
    """The arguments of a node that were not given."""
    return {name for name, part in node.args.items() if not part}


def bare(node: exp.Expr) -> exp.Expr:
    """Without parentheses."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def negated(condition: Condition) -> Condition:
    if condition is None or isinstance(condition, bool):
        return None if condition is None else not condition
    return ("not", condition)


def compared(column: int, how: str, value: Constant | None) -> Condition:
    """A comparison with a constant; NULL makes it NULL."""
    if how in ("same", "other"):
        missing = Atom(column, "null")
        found = missing if value is None else all_of([Atom(column, "in", (value,)), ("not", missing)])
        return found if how == "same" else negated(found)
    if value is None:
        return None
    if how in ("=", "<>"):
        found = Atom(column, "in", (value,))
        return found if how == "=" else ("not", found)
    return Atom(column, how, (value,))


def constant(node: exp.Expr) -> Constant | None:
    """A number, text, date or timestamp; None for NULL."""
    node = bare(node)
    if isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Boolean):
        return Constant("text", *(2 * (str(node.this).lower(),)))
    if isinstance(node, exp.Neg) and isinstance(bare(node.this), exp.Literal):
        inner = constant(node.this)
        assert inner is not None
        if inner.axis == "number" and isinstance(inner.place, Decimal):
            return Constant("number", -inner.place, f"-{inner.text}", inner.form)
    if isinstance(node, exp.Literal):
        return text_constant(node.name) if node.is_string else number_constant(node.name)
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal) and node.to.this.name in TIMES:
        return time_constant(node.this.name, TIMES[node.to.this.name])
    if isinstance(node, exp.Column):
        raise refused("a comparison of two columns")
    raise refused(what(node))


def alike(*constants: Constant | None) -> list[Constant | None]:
    """The constants of one IN or BETWEEN: a DOUBLE among them makes DOUBLEs of all numbers."""
    if not any(each and each.form == "DOUBLE" for each in constants):
        return [*constants]
    return [replace(each, form="DOUBLE") if each and each.axis == "number" else each for each in constants]


def text_constant(value: str) -> Constant:
    """Text; one that looks like a date or a moment is one if the column holds such."""
    zone = OFFSET.search(value)
    with suppress(InvalidParameter):
        if ISO.fullmatch(value):
            return Constant("iso", time_constant(value, "").place, value)
        if zone and ISO.fullmatch(value[: zone.start()].rstrip()):
            return time_constant(value, "TIMESTAMPTZ")
    return Constant("text", value, value)


def number_constant(digits: str) -> Constant:
    try:
        number = Decimal(digits.replace("_", ""))
    except InvalidOperation as error:
        raise InvalidParameter("query: a constant is no number that can be read.") from error
    if abs(number) > LARGEST:
        raise refused("a number beyond 1e300")
    coarse = "e" in digits.lower() or ("." in digits and len(digits) - 1 > MOST_DIGITS)
    return Constant("number", number, digits, "DOUBLE" if coarse else "DECIMAL")


def time_constant(value: str, type_name: str) -> Constant:
    """A date or timestamp, in days since 1970; one with an offset, in UTC."""
    try:
        moment = datetime.datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise InvalidParameter("query: a constant is no date that can be read.", "Write DATE '2024-02-29'.") from error
    zoned = moment.tzinfo is not None
    if zoned and type_name != "TIMESTAMPTZ":
        raise refused("a time zone in a constant without one")
    past = (moment.astimezone(datetime.UTC) - EPOCH) if zoned else moment - EPOCH.replace(tzinfo=None)
    if type_name == "DATE":
        return Constant("time", Decimal(past.days), moment.date().isoformat(), type_name)
    if past.microseconds % STEPS.get(type_name, 1):
        raise refused(f"a {type_name} that is to be rounded")
    if past.microseconds and abs(past.days) > FINE_DAYS:
        raise refused("a fraction of a second so far from 1970")
    seconds = Decimal(past.seconds) + Decimal(past.microseconds) / 1_000_000
    return Constant("zoned" if zoned else "time", past.days + seconds / 86_400, value, type_name)


def what(node: exp.Expr) -> str:
    """A construct in words that hold no value of the query."""
    if isinstance(node, exp.Window):
        return "a window"
    if isinstance(node, exp.Anonymous):
        return f"{node.name}()"
    if isinstance(node, exp.Func) and not isinstance(node, exp.Cast | exp.And | exp.Or):
        return f"{node.sql_name().lower()}()"
    return {"literal": "a constant alone", "like": "LIKE", "ilike": "ILIKE"}.get(node.key, node.key.upper())
