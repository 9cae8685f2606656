"""The WHERE of an analyst's query: comparisons of one column with constants, AND, OR, NOT."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter

from .sets import Atom, Condition, Constant, all_of, any_of

COMPARED: dict[type[exp.Expr], tuple[str, str]] = {
    exp.LT: ("<", ">"), exp.LTE: ("<=", ">="), exp.GT: (">", "<"), exp.GTE: (">=", "<="),
    exp.EQ: ("=", "="), exp.NEQ: ("<>", "<>"), exp.NullSafeEQ: ("same", "same"), exp.NullSafeNEQ: ("other", "other"),
}  # fmt: skip
"""Each comparison, and what it becomes when its sides change places."""
ISO = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")
OFFSET = re.compile(r"(Z|[+-]\d{2}(:?\d{2}){0,2})$")
"""At the end of a moment that has a time zone."""
TIMES = ("DATE", "TIMESTAMP", "DATETIME", "TIMESTAMPNTZ", "TIMESTAMP_S", "TIMESTAMP_MS")
EPOCH = datetime.datetime(1970, 1, 1)
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
            column, low, high = self._column_of(node.this), constant(node.args["low"]), constant(node.args["high"])
            return all_of([compared(column, ">=", low), compared(column, "<=", high)])
        if isinstance(node, exp.In) and not set(node.args) & {"query", "unnest", "field"} - empty(node):
            column = self._column_of(node.this)
            return any_of([compared(column, "=", constant(value)) for value in node.expressions])
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
            return Constant("number", -inner.place, f"-{inner.text}")
    if isinstance(node, exp.Literal):
        return text_constant(node.name) if node.is_string else number_constant(node.name)
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal) and node.to.this.name in TIMES:
        return time_constant(node.this.name)
    if isinstance(node, exp.Column):
        raise refused("a comparison of two columns")
    raise refused(what(node))


def text_constant(value: str) -> Constant:
    """Text; one that looks like a date is a date if the column holds dates."""
    if (zone := OFFSET.search(value)) and ISO.fullmatch(value[: zone.start()].rstrip()):
        raise refused("a timestamp with a time zone")
    if ISO.fullmatch(value):
        try:
            return Constant("iso", time_constant(value).place, value)
        except InvalidParameter:
            pass
    return Constant("text", value, value)


def number_constant(digits: str) -> Constant:
    try:
        number = Decimal(digits.replace("_", ""))
    except InvalidOperation as error:
        raise InvalidParameter("query: a constant is no number that can be read.") from error
    if abs(number) > LARGEST:
        raise refused("a number beyond 1e300")
    return Constant("number", number, digits)


def time_constant(value: str) -> Constant:
    """A date or timestamp, in days since 1970."""
    try:
        moment = datetime.datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise InvalidParameter("query: a constant is no date that can be read.", "Write DATE '2024-02-29'.") from error
    if moment.tzinfo is not None:
        raise refused("a timestamp with a time zone")
    past = moment - EPOCH
    seconds = Decimal(past.seconds) + Decimal(past.microseconds) / 1_000_000
    return Constant("time", Decimal(past.days) + seconds / 86_400, value)


def what(node: exp.Expr) -> str:
    """A construct in words that hold no value of the query."""
    if isinstance(node, exp.Window):
        return "a window"
    if isinstance(node, exp.Anonymous):
        return f"{node.name}()"
    if isinstance(node, exp.Func) and not isinstance(node, exp.Cast | exp.And | exp.Or):
        return f"{node.sql_name().lower()}()"
    return {"literal": "a constant alone", "like": "LIKE", "ilike": "ILIKE"}.get(node.key, node.key.upper())
