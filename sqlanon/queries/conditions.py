"""Conditions: comparisons of one column with constants, AND, OR, NOT. They are three-valued, as in SQL.

>>> reader = ConditionReader("query")
>>> reader.condition(parse_condition("age >= 30", "query"))
Comparison(column=0, operator='>=', constants=(Constant(text='30', type='DECIMAL'),))
>>> reader.names
['age']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter, SqlanonError

OPERATORS: dict[type[exp.Expr], tuple[str, str]] = {
    exp.LT: ("<", ">"), exp.LTE: ("<=", ">="), exp.GT: (">", "<"), exp.GTE: (">=", "<="),
    exp.EQ: ("=", "="), exp.NEQ: ("<>", "<>"), exp.NullSafeEQ: ("same", "same"), exp.NullSafeNEQ: ("other", "other"),
}  # fmt: skip
"""Each comparison, and what it becomes when its sides change places."""
TYPES = {
    "DATE": "DATE", "TIME": "TIME", "TIMESTAMP": "TIMESTAMP", "DATETIME": "TIMESTAMP", "TIMESTAMPNTZ": "TIMESTAMP",
    "TIMESTAMP_S": "TIMESTAMP_S", "TIMESTAMP_MS": "TIMESTAMP_MS",
    "TIMESTAMPTZ": "TIMESTAMPTZ", "TIMESTAMPLTZ": "TIMESTAMPTZ",
}  # fmt: skip
"""The types that a constant may name, as sqlglot calls them, and as DuckDB does."""
NUMBERS = ("DECIMAL", "DOUBLE")
MOST_DIGITS = 38
"""A number with a point and more digits than a DECIMAL has is a DOUBLE, and so is one with an exponent."""
DEEPEST = 400


@dataclass(frozen=True)
class Constant:
    """A constant as written, and its type: DECIMAL, DOUBLE, VARCHAR, BOOLEAN, or the one it names, as in DATE '…'."""

    text: str
    type: str


@dataclass(frozen=True)
class Comparison:
    """One comparison of a column: equal to one `in` its constants, `null`, or <, <=, >, >= its one constant.

    A reader may keep BETWEEN and IN whole: `between` its two constants, `list` of them.
    """

    column: int
    operator: str
    constants: tuple[Constant, ...] = ()


Condition = bool | None | Comparison | tuple[object, ...]
"""A truth value, a comparison, ("not", x), ("and", x, y, …) or ("or", x, y, …)."""


def refusal(subject: str, construct: str) -> SqlanonError:
    """The error of what cannot be estimated. `subject` says where it stands."""
    return InvalidParameter(
        f"{subject}: {construct} cannot be estimated.",
        "A query is one of count(*), sum(column), avg(column) of one table, with WHERE (=, <>, <, <=, >, >=, IN, "
        "BETWEEN, IS NULL, AND, OR, NOT, of a column and constants) and GROUP BY columns; a predicate is such a WHERE, "
        "with OR and NOT within one column.",
    )


def parse_condition(condition: str, subject: str) -> exp.Expr:
    """One condition, or SA102."""
    try:
        statements = sqlglot.parse(condition, dialect="duckdb")
    except (SqlglotError, RecursionError) as error:
        raise InvalidParameter(f"{subject} is not one condition.") from error
    if len(statements) != 1 or statements[0] is None:
        raise InvalidParameter(f"{subject} is not one condition.")
    return statements[0]


class ConditionReader:
    """Reads conditions, and numbers the columns that it meets."""

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.names: list[str] = []
        self._number_of: dict[str, int] = {}

    def column(self, node: exp.Column) -> int:
        """The number of a column. Names differ by more than the case of ASCII letters."""
        folded = fold(node.name)
        if folded not in self._number_of:
            self._number_of[folded] = len(self.names)
            self.names.append(node.name)
        return self._number_of[folded]

    def condition(self, node: exp.Expr, depth: int = 0) -> Condition:
        """Read a condition."""
        if depth > DEEPEST:
            raise InvalidParameter(f"{self.subject}: its condition is nested too deeply.", "Use IN or BETWEEN.")
        if isinstance(node, exp.Paren):
            return self.condition(node.this, depth + 1)
        if isinstance(node, exp.And | exp.Or):
            join = all_of if isinstance(node, exp.And) else any_of
            return join([self.condition(part, depth + 1) for part in node.flatten()])
        if isinstance(node, exp.Not):
            return negate(self.condition(node.this, depth + 1))
        if isinstance(node, exp.Boolean):
            return bool(node.this)
        if isinstance(node, exp.Null):
            return None
        if isinstance(node, exp.Column):
            return Comparison(self.column(node), "in", (Constant("true", "BOOLEAN"),))
        if type(node) in OPERATORS:
            return self._comparison(node)
        if isinstance(node, exp.Between) and not node.args.get("symmetric"):
            column = self._column_of(node.this)
            return self.between(column, self._constant(node.args["low"]), self._constant(node.args["high"]))
        if isinstance(node, exp.In) and not any(node.args.get(name) for name in ("query", "unnest", "field")):
            return self.in_list(self._column_of(node.this), [self._constant(each) for each in node.expressions])
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null | exp.Boolean):
            return compare_with(self._column_of(node.this), "same", self._constant(node.expression))
        raise refusal(self.subject, what(node))

    def between(self, column: int, low: Constant | None, high: Constant | None) -> Condition:
        """BETWEEN, as two comparisons."""
        low, high = of_one_type(low, high)
        return all_of([compare_with(column, ">=", low), compare_with(column, "<=", high)])

    def in_list(self, column: int, constants: list[Constant | None]) -> Condition:
        """IN, as equal to one of its constants."""
        return any_of([compare_with(column, "=", each) for each in of_one_type(*constants)])

    def _comparison(self, node: exp.Expr) -> Condition:
        left, right = without_parentheses(node.this), without_parentheses(node.expression)
        straight, turned = OPERATORS[type(node)]
        if isinstance(left, exp.Column):
            return compare_with(self.column(left), straight, self._constant(right))
        if not isinstance(right, exp.Column):
            raise refusal(self.subject, what(right if isinstance(left, exp.Literal) else left))
        return compare_with(self.column(right), turned, self._constant(left))

    def _column_of(self, node: exp.Expr) -> int:
        node = without_parentheses(node)
        if not isinstance(node, exp.Column):
            raise refusal(self.subject, what(node))
        return self.column(node)

    def _constant(self, node: exp.Expr) -> Constant | None:
        """A number, text, date or timestamp; None for NULL."""
        node = without_parentheses(node)
        if isinstance(node, exp.Null):
            return None
        if isinstance(node, exp.Boolean):
            return Constant(str(node.this).lower(), "BOOLEAN")
        if isinstance(node, exp.Literal):
            return Constant(node.name, "VARCHAR" if node.is_string else number_type(node.name))
        if isinstance(node, exp.Neg):
            number = without_parentheses(node.this)
            if isinstance(number, exp.Literal) and not number.is_string:
                return Constant(f"-{number.name}", number_type(number.name))
        if (
            isinstance(node, exp.Cast)
            and isinstance(node.this, exp.Literal)
            and node.to.this.name in TYPES
            and not node.to.expressions  # TIMESTAMP(3) is a type of its own
        ):
            return Constant(node.this.name, TYPES[node.to.this.name])
        raise refusal(self.subject, "a comparison of two columns" if isinstance(node, exp.Column) else what(node))


def number_type(digits: str) -> str:
    """DuckDB's type of a number."""
    coarse = "e" in digits.lower() or ("." in digits and len(digits) - 1 > MOST_DIGITS)
    return "DOUBLE" if coarse else "DECIMAL"


def of_one_type(*constants: Constant | None) -> list[Constant | None]:
    """The constants of one IN or BETWEEN: a DOUBLE among them makes DOUBLEs of all numbers."""
    if not any(each and each.type == "DOUBLE" for each in constants):
        return [*constants]
    return [replace(each, type="DOUBLE") if each and each.type in NUMBERS else each for each in constants]


def without_parentheses(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def compare_with(column: int, operator: str, constant: Constant | None) -> Condition:
    """A comparison with a constant; NULL makes it NULL."""
    if operator in ("same", "other"):
        missing = Comparison(column, "null")
        same: Condition = missing
        if constant is not None:
            same = all_of([Comparison(column, "in", (constant,)), ("not", missing)])
        return same if operator == "same" else negate(same)
    if constant is None:
        return None
    if operator in ("=", "<>"):
        equal = Comparison(column, "in", (constant,))
        return equal if operator == "=" else ("not", equal)
    return Comparison(column, operator, (constant,))


def what(node: exp.Expr) -> str:
    """A construct in words that hold no value of the query."""
    if isinstance(node, exp.Window):
        return "a window"
    if isinstance(node, exp.Anonymous):
        return f"{node.name}()"
    if isinstance(node, exp.Func) and not isinstance(node, exp.Cast | exp.And | exp.Or):
        return f"{node.sql_name().lower()}()"
    return {"literal": "a constant alone", "like": "LIKE", "ilike": "ILIKE"}.get(node.key, node.key.upper())


def comparisons(condition: Condition) -> Iterator[Comparison]:
    """The comparisons of a condition."""
    if isinstance(condition, Comparison):
        yield condition
    elif isinstance(condition, tuple):
        for part in condition[1:]:
            yield from comparisons(part)  # type: ignore[arg-type]


def resolve(condition: Condition, truths: dict[Comparison, bool | None]) -> Condition:
    """The rest of a condition once some comparisons are known."""
    if isinstance(condition, Comparison):
        return truths.get(condition, condition)
    if not isinstance(condition, tuple):
        return condition
    parts = [resolve(part, truths) for part in condition[1:]]  # type: ignore[arg-type]
    if condition[0] == "not":
        return negate(parts[0])
    return all_of(parts) if condition[0] == "and" else any_of(parts)


def negate(condition: Condition) -> Condition:
    """NOT."""
    if condition is None or isinstance(condition, bool):
        return None if condition is None else not condition
    return ("not", condition)


def all_of(parts: list[Condition]) -> Condition:
    """AND."""
    return _join("and", parts, False)


def any_of(parts: list[Condition]) -> Condition:
    """OR; comparisons of one column with single constants become one `in`."""
    merged: dict[int, list[Constant]] = {}
    others: list[Condition] = []
    for part in parts:
        if isinstance(part, Comparison) and part.operator == "in":
            merged.setdefault(part.column, []).extend(part.constants)
        else:
            others.append(part)
    lists: list[Condition] = [Comparison(column, "in", tuple(constants)) for column, constants in merged.items()]
    return _join("or", lists + others, True)


def _join(word: str, parts: list[Condition], decisive: bool) -> Condition:
    flat: list[Condition] = []
    for part in parts:
        flat += part[1:] if isinstance(part, tuple) and part[0] == word else [part]  # type: ignore[arg-type]
    if any(part is decisive for part in flat):
        return decisive
    left = [part for part in dict.fromkeys(flat) if part is not (not decisive)]
    if not left:
        return not decisive
    return left[0] if len(left) == 1 else (word, *left)
