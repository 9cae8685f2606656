"""A user's own conditions, read into the codes that satisfy them, as DuckDB itself compares values.

A condition is a conjunction of parts that concern one column each; within a part, AND, OR and NOT go as deep as they
like. What is no such condition is refused here. Each part is written again, as SQL, from what was read, and a DuckDB of
our own, which holds the domain of the column and nothing else, says for which codes it is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import TracebackType

import duckdb
import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.errors import WrongColumn
from sqlanon.queries.comparison_sql import write_comparison
from sqlanon.queries.conditions import (
    Comparison,
    Condition,
    ConditionReader,
    Constant,
    any_of,
    comparisons,
    parse_condition,
    refusal,
    resolve,
    what,
)

from ..kernels.measure.count_queries import Flags
from .workload import Attribute, Query

COMPARED_AS_TEXT = re.compile(r'ENUM\(.*\)|"?NULL"?', re.DOTALL)
"""Types whose values DuckDB compares with constants as texts. All others it knows by the name that it gave them."""
INSTANT = re.compile(r"-?infinity|.*:\d\d(\.\d+)?(Z|[+-][\d:]+)", re.DOTALL)
"""A moment with its offset from UTC, or none that needs one."""


class PredicateReader(ConditionReader):
    """Reads conditions on the columns of a source. DuckDB finds one type for a column and all that is in its list."""

    def __init__(self, subject: str, number_of: dict[str, int]) -> None:
        super().__init__(subject)
        self.number_of = number_of

    def column(self, node: exp.Column) -> int:
        """The number of a column of the source."""
        if node.table or fold(node.name) not in self.number_of:
            name = node.sql("duckdb") if node.table else node.name
            raise WrongColumn(f"{self.subject} has column {name!r}, which is not in qi or sa.")
        return super().column(node)

    def between(self, column: int, low: Constant | None, high: Constant | None) -> Condition:
        """BETWEEN, whole."""
        if low is None or high is None:
            return super().between(column, low, high)
        return Comparison(column, "between", (low, high))

    def in_list(self, column: int, constants: list[Constant | None]) -> Condition:
        """IN, whole. NULL in it has no type."""
        known = tuple(each for each in constants if each is not None)
        unknown: list[Condition] = [None] * (len(known) < len(constants))
        return any_of([Comparison(column, "list", known), *unknown]) if known else None


class Reader:
    """Reads predicates on the columns of a source, with a DuckDB of its own: no other thread or process meets it."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        self.number_of = {fold(attribute.name): number for number, attribute in enumerate(attributes)}
        self.domains: dict[int, Domain] = {}
        self.connection = duckdb.connect(":memory:", config={"threads": 1})

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.connection.close()

    def read(self, predicate: str, query_id: int) -> Query:
        """The codes that satisfy each column's part of a condition."""
        subject = f"predicates: query {query_id}"
        wanted: dict[int, Flags] = {}
        for part in conjuncts(parse_condition(predicate, subject)):
            reader = PredicateReader(subject, self.number_of)
            condition = reader.condition(part)
            if len(reader.names) != 1:
                across = "across several columns" if reader.names else "without a column"
                raise refusal(subject, f"{what(part)} {across}")
            number = self.number_of[fold(reader.names[0])]
            try:
                true = self.domain(number).select(condition)
            except (ValueError, duckdb.DataError, duckdb.ProgrammingError, duckdb.NotSupportedError):
                outline = self.attributes[number].type_name.partition("(")[0]  # the values of an ENUM are data
                raise refusal(subject, f"a constant that is not read as {outline}") from None
            wanted[number] = wanted[number] & true if number in wanted else true
        return Query(predicate, dict(sorted(wanted.items())))

    def domain(self, number: int) -> Domain:
        """The domain of a column, in DuckDB once it is asked for."""
        if number not in self.domains:
            self.domains[number] = Domain(self.connection, f"domain_{number}", self.attributes[number])
        return self.domains[number]


class Domain:
    """The values of a column in a table of DuckDB: code, label, and value, which is the label in the column's type.

    The last row is one more NULL, so that DuckDB reads the constants of every condition, even if there is no value.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, table: str, attribute: Attribute) -> None:
        self.connection = connection
        self.table = table
        self.type_name = "VARCHAR" if COMPARED_AS_TEXT.fullmatch(attribute.type_name) else attribute.type_name
        self.size = len(attribute.labels)
        self.run(
            f"""
            CREATE TABLE {table} AS
            SELECT code, label, TRY_CAST(label AS {self.type_name}) AS value
            FROM (SELECT unnest($labels::VARCHAR[]) AS label, unnest(range(len($labels))) AS code)
            """,
            {"labels": [*attribute.labels, None]},
        )
        self.unreadable = self.flags("value IS NULL AND label IS NOT NULL")
        """Leaves of a taxonomy that the column's type cannot hold: no row has them."""

    def select(self, condition: Condition) -> Flags:
        """The codes for which a condition is true; an error of DuckDB, or ValueError, if that cannot be said."""
        true = self.flags(self.write(condition).sql("duckdb", comments=False))
        if self.unreadable.any():
            differs = resolve(condition, dict.fromkeys(comparisons(condition), False)) is True
            true[self.unreadable == 1] = differs
        return true

    def flags(self, condition: str) -> Flags:
        """1 for each code for which SQL of ours is true."""
        answer = self.run(f"SELECT code, coalesce({condition}, FALSE) AS holds FROM {self.table}")
        true = np.zeros(self.size + 1, np.uint8)
        true[answer["code"]] = answer["holds"]
        return true[: self.size]

    def run(self, statement: str, parameters: dict[str, object] | None = None) -> dict[str, NDArray[np.generic]]:
        """The columns of an answer. Ctrl-C and a lack of memory are raised as Python's own errors, for our caller."""
        try:
            return self.connection.execute(statement, parameters).fetchnumpy()
        except (RuntimeError, duckdb.InterruptException):  # Ctrl-C in the main thread
            raise KeyboardInterrupt from None
        except duckdb.OutOfMemoryException as error:
            raise MemoryError from error

    def write(self, condition: Condition) -> exp.Expr:
        """Write a condition as SQL."""
        if condition is None or isinstance(condition, bool):
            return exp.convert(condition)
        if isinstance(condition, Comparison):
            return self.write_comparison(condition)
        word, *parts = condition
        written = [self.write(part) for part in parts]  # type: ignore[arg-type]
        if word == "not":
            return exp.not_(written[0], copy=False)
        return (exp.and_ if word == "and" else exp.or_)(*written, copy=False)

    def write_comparison(self, comparison: Comparison) -> exp.Expr:
        """Write a comparison of the column. Constants that were compared one by one are not put in one list."""
        value, constants = exp.column("value"), comparison.constants
        if comparison.operator == "null":
            return exp.Is(this=exp.column("label"), expression=exp.null())
        if any(depends_on_session(each, self.type_name) for each in constants):
            raise ValueError("a moment without its offset")
        if any(each.type == "BOOLEAN" for each in constants) and self.type_name != "BOOLEAN":
            raise ValueError("a truth value alone")  # a column alone is a condition, but not the same as column = TRUE
        if comparison.operator == "list":
            return write_comparison(value, "in", constants)
        if comparison.operator == "in":
            return exp.or_(*(write_comparison(value.copy(), "in", [each]) for each in constants), copy=False)
        return write_comparison(value, comparison.operator, constants)


def depends_on_session(constant: Constant, type_name: str) -> bool:
    """Whether the time zone of a session decides how a constant compares with a column."""
    if type_name.endswith("WITH TIME ZONE"):
        return constant.type not in ("VARCHAR", "TIMESTAMPTZ") or not INSTANT.fullmatch(constant.text)
    return constant.type == "TIMESTAMPTZ"


def conjuncts(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a conjunction."""
    waiting = [tree]
    while waiting:
        node = waiting.pop().unnest()
        if isinstance(node, exp.And):
            waiting += [node.right, node.left]
        else:
            yield node
