"""Every error sqlanon raises, with its code.

A Python exception that crosses DuckDB arrives as text, so the code in square brackets is what survives:
`from_duckdb` turns such a text back into the class it came from. Messages name arguments, columns and
counts; they never show a data value.

>>> error = from_duckdb(Exception("Invalid Input Error: [SA202] 3 rows are fewer than k = 5."))
>>> type(error).__name__, error.code
('TooFewRows', 'SA202')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import ClassVar

from . import next_steps
from .next_steps import Advice, NextStep, in_sql

__all__ = [
    "BadCertificate",
    "BadSignature",
    "BadTable",
    "BrokenPromise",
    "InvalidParameter",
    "NotEligible",
    "NotPrivate",
    "OutOfMemory",
    "ReleaseMismatch",
    "SqlanonError",
    "TaxonomyError",
    "TooFewRows",
    "UnsupportedType",
    "WrongColumn",
    "from_duckdb",
]


Parts = tuple[str, str, tuple[Advice, ...]]
"""The message of an error, its hint, and the next steps that the hint is made of, if it is."""


class RaisedTexts(dict[str, Parts]):
    """The parts of texts that may come back from DuckDB as one. The oldest is forgotten."""

    def __setitem__(self, text: str, parts: Parts) -> None:
        if len(self) >= 1000:
            del self[next(iter(self))]
        super().__setitem__(text, parts)


_RAISED = RaisedTexts()


class SqlanonError(Exception):
    """Base of every error of ours: `code`, `message`, and a `hint` on what to do.

    Where the hint is made of next steps, these are `advice`.
    """

    code: ClassVar[str] = "SA000"

    def __init__(self, message: str, hint: str = "", advice: tuple[Advice, ...] = ()) -> None:
        self.message = message
        self.hint = hint
        self.advice = advice
        if hint:
            _RAISED[f"{message} {hint}"] = (message, hint, advice)
        super().__init__(f"[{self.code}] {message}" + (f" {hint}" if hint else ""))


class WrongColumn(SqlanonError):
    """A column, table or taxonomy that is not there, or given twice, or in two roles."""

    code = "SA101"


class InvalidParameter(SqlanonError):
    """A parameter out of its range or of the wrong type."""

    code = "SA102"

    @classmethod
    def unknown(cls, argument: str, value: object, choices: Iterable[str]) -> InvalidParameter:
        """One of a fixed list of choices was expected."""
        return cls(f"{argument}: {value!r} is not known.", f"Choose one of: {', '.join(choices)}.")


class BadTable(SqlanonError):
    """`tbl` is not a table reference or a single SELECT."""

    code = "SA103"

    def __init__(self, argument: str = "tbl", reason: str = "") -> None:
        super().__init__(
            f"{argument} is not a table reference or a single SELECT{': ' + reason if reason else ''}.",
            'Give a table, view or CTE by name (quoted if need be: "my table"), or one SELECT in parentheses.',
        )


def type_outline(type_name: str) -> str:
    """The name of a type without what is in parentheses: the values of an ENUM are data."""
    return re.sub(r"\(.*\)", "", type_name, flags=re.DOTALL)


class UnsupportedType(SqlanonError):
    """A column type that cannot be a quasi-identifier or sensitive attribute, or be `kept`."""

    code = "SA104"

    def __init__(self, column: str, type_name: str, kept: bool = False) -> None:
        outline = type_outline(type_name)
        if kept:
            super().__init__(
                f"column {column!r} in keep has type {outline} with an ENUM inside, which lists values of other rows.",
                "Cast what it holds to VARCHAR in tbl.",
            )
        else:
            super().__init__(
                f"column {column!r} has type {outline}, which cannot be a quasi-identifier or a sensitive attribute.",
                "Numbers, dates, times, text, booleans, enums and UUIDs can; take a nested value apart first.",
            )

    @classmethod
    def unlike(
        cls, column: str, type_name: str, pinned: str, file: str = "", line: int | None = None
    ) -> UnsupportedType:
        """A column of the source has another type than its policy says."""
        where = f" of {file}" if file else ""
        problem = f"is {type_outline(type_name)}" if line is None else f"has a cell of another kind on line {line}"
        error = cls.__new__(cls)
        SqlanonError.__init__(
            error,
            f'column {column!r}{where} {problem}; the policy pins type = "{pinned}".',
            "Mend the source, or change the type in [columns].",
        )
        return error


class TaxonomyError(SqlanonError):
    """A taxonomy that does not cover the data or is not a tree."""

    code = "SA105"

    def __init__(self, column: str, problem: str, hint: str = "") -> None:
        super().__init__(f"the taxonomy of column {column!r} {problem}.", hint)

    @classmethod
    def from_words(cls, column: str, words: str) -> TaxonomyError:
        """One whose problem and hint are written out."""
        error = cls.__new__(cls)
        SqlanonError.__init__(error, f"the taxonomy of column {column!r} {words}")
        return error


class NotEligible(SqlanonError):
    """The data does not allow l."""

    code = "SA201"

    @classmethod
    def with_advice(
        cls, message: str, advice: Iterable[Advice], words: Callable[[NextStep], str] = in_sql
    ) -> NotEligible:
        """One whose hint is next steps in somebody's words."""
        return cls(message, next_steps.in_words(advice, words), tuple(advice))

    @classmethod
    def too_frequent(cls, counts: Sequence[int], size: int, l: int, noun: str, only_rows: bool) -> NotEligible:
        """The first of `counts`, the most frequent sensitive value, is in more than 1/l of the rows, or people.

        `only_rows`: nobody is told apart, so that a release that counts rows may do.
        """
        top, largest = counts[0], size // counts[0]
        holds = f"is in {top} of {size} rows" if noun == "rows" else f"is held by {top} of {size} {noun}"
        steps = [Advice(f"The largest l is {largest}.")]
        if largest >= 2:
            steps.append(next_steps.try_diverse(largest))
        elif len(counts) > 1:
            steps.append(next_steps.NO_DIVERSE_RELEASE)
        else:
            steps.append(next_steps.ONLY_VALUE)
        if len(counts) > 1 and only_rows:
            steps.append(next_steps.try_generalizing(min(l, len(counts)), "Or" if largest >= 2 else "Try"))
            percent = next_steps.suppression_percent(top, size, l)
            if percent <= next_steps.MOST_SUPPRESSED:
                steps.append(next_steps.try_suppressing(f"0.{percent:02d}"))
        return cls.with_advice(f"one sensitive value {holds}; l = {l} allows {size // l}.", steps)

    @classmethod
    def top_heavy(cls, top: int, tail: int, l: int, c: float, noun: str) -> NotEligible:
        """The table as a whole is not recursive (c,l)-diverse."""
        best = f"For l = {l}, c must be above {top / tail:.6g}." if tail else f"There are fewer than l = {l} values."
        return cls(
            f"the most frequent sensitive value has {top} {noun}, those from rank l = {l} on have {tail}; c = {c:g} "
            f"allows less than {c * tail:.6g}.",
            best,
        )

    @classmethod
    def by_weights(cls) -> NotEligible:
        """The weights of base values alone say more than a release may."""
        return cls(
            "options.weights: even a release that tells nothing would not hold, as some values are thought too likely.",
            "Choose a larger tau, a smaller l, or other weights.",
        )

    @classmethod
    def no_levels(cls, rows: int) -> NotEligible:
        """No level of generalization holds, even with as many rows left out as may be."""
        return cls(
            f"no levels of the taxonomies hold for these {rows} rows, even if as many are left out as may be.",
            "Allow more rows to be left out (options.suppress), or choose a weaker parameter.",
        )

    @classmethod
    def small_domain(cls, column: str, size: int, l: int) -> NotEligible:
        """A column has fewer values than a list must hold."""
        return cls(
            f"column {column!r} has {size} value{'' if size == 1 else 's'}; l = {l} needs at least {l}.",
            f"The largest l is {size}." if size >= 2 else "Leave it out, or take l = 1, which hides nothing.",
        )

    @classmethod
    def no_groups(cls, rows: int) -> NotEligible:
        """Rows of a group must differ in so much that there is no group."""
        return cls(
            f"no group could be formed from {rows} rows: its rows must differ in every sensitive attribute and person.",
            "Choose a smaller l or fewer sensitive attributes.",
        )


class TooFewRows(SqlanonError):
    """Fewer rows, or people, than k or l, or an empty table."""

    code = "SA202"

    def __init__(self, size: int, parameter: str, value: int, noun: str = "rows") -> None:
        one = {"rows": "row", "people": "person"}[noun]
        counted = "the table is empty" if size == 0 else f"the table has {size} {one if size == 1 else noun}"
        super().__init__(
            f"{counted}; {parameter} = {value} needs at least {value}.",
            f"Lower {parameter} or publish more {noun}." if size else next_steps.NO_ROWS.sentence,
        )

    @classmethod
    def empty(cls) -> TooFewRows:
        """No row at all, where no parameter asks for a number of them."""
        error = cls.__new__(cls)
        SqlanonError.__init__(error, "the table is empty.", next_steps.NO_ROWS.sentence)
        return error


class ReleaseMismatch(SqlanonError):
    """A release that does not match its source."""

    code = "SA301"


class NotPrivate(SqlanonError):
    """A table that breaks a bound it was asserted to hold."""

    code = "SA302"


class BadCertificate(SqlanonError):
    """A text that is no certificate, or one that contradicts itself."""

    code = "SA303"


class BadSignature(SqlanonError):
    """A certificate that cannot be signed, or whose signature does not hold."""

    code = "SA304"


class OutOfMemory(SqlanonError):
    """A statement that needs more memory than there is, or than it may have."""

    code = "SA401"

    def __init__(self) -> None:
        super().__init__(
            "the memory does not suffice.",
            "Use fewer threads, raise memory_limit, or set temp_directory to a folder on a large disk: options "
            "of the command line, [engine] in a policy, SET in SQL. Fewer columns and rows take less, too.",
        )


class BrokenPromise(SqlanonError):
    """A broken promise inside sqlanon: nothing is published."""

    code = "SA901"

    def __init__(self, promise: str) -> None:
        super().__init__(
            f"{promise}. Nothing was published.",
            "This is a bug in sqlanon: please report the statement and the version.",
        )


class Guard:
    """Lets errors of ours pass. Of any other it tells no more than the type: the text may hold data values."""

    def __init__(self, doing: str) -> None:
        self.doing = doing

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if is_short_of_memory(error):
            raise OutOfMemory from error
        if isinstance(error, Exception) and not isinstance(error, SqlanonError):
            raise BrokenPromise(f"{type(error).__name__} while {self.doing}") from error


def is_short_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or one behind it, is of Python, NumPy, Arrow, Numba or the system, and about memory.

    A library that finds no room is an OSError, or an ImportError, and only the system's words tell why.
    """
    while error is not None:
        no_room = isinstance(error, OSError | ImportError) and _NO_ROOM.search(str(error))
        if isinstance(error, MemoryError) or no_room:
            return True
        error = error.__cause__ or error.__context__
    return False


_NO_ROOM = re.compile("failed to map segment|cannot map zero-fill pages|Cannot allocate memory")
"""How Linux says that there is no room for a library."""


RAISING = frozenset({
    "_sqlanon_plan", "_sqlanon_columns", "_sqlanon_shuffle_keys", "_sqlanon_exact_share", "_sqlanon_ordered_change",
})  # fmt: skip
"""Functions that raise errors, before which DuckDB puts words of its own.

DuckDB calls them at bind time, where COLUMNS(…) takes no error(), or for each row, with arguments that others have
checked. All others return an error beside their answers, and _sqlanon_answer(…) raises it in SQL.
"""

_BY_CODE: dict[str, type[SqlanonError]] = {
    cls.code: cls
    for cls in (
        WrongColumn,
        InvalidParameter,
        BadTable,
        UnsupportedType,
        TaxonomyError,
        NotEligible,
        TooFewRows,
        ReleaseMismatch,
        NotPrivate,
        OutOfMemory,
        BadCertificate,
        BadSignature,
        BrokenPromise,
    )
}
_NO_MEMORY = re.compile(r"^Out of Memory Error|\bbad[_ ]alloc|\b\w*MemoryError: ")
"""How DuckDB says so, and errors of Python and Arrow that it hands on."""
_CODED = re.compile(r"\[(SA\d{3})\] (.*?)\s*(?:\n|$)", re.DOTALL)


def from_duckdb(error: BaseException) -> SqlanonError | None:
    """Return our error that `error` carries in its text, or stands for, or None when it is DuckDB's own."""
    match = _CODED.search(str(error))
    if match is None or match.group(1) not in _BY_CODE:
        return OutOfMemory() if isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)) else None
    cls = _BY_CODE[match.group(1)]
    coded = cls.__new__(cls)
    SqlanonError.__init__(coded, *_RAISED.get(match.group(2), (match.group(2), "", ())))
    coded.__cause__ = error
    return coded
