"""The declaration of a SQL function.

>>> Parameter("bins", WHOLE, "How many bins.", 16).written
'bins := 16'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

from ..arguments import choice, column_list, flag, number, secret_number, share, text, whole
from ..errors import InvalidParameter


class Required(Enum):
    """The default of a parameter that has none."""

    REQUIRED = "required"


REQUIRED = Required.REQUIRED


class Type(NamedTuple):
    """The type of an argument in SQL, and the check that returns it in one form, or raises SA101 or SA102."""

    sql: str
    check: Callable[[str, Any], Any]


def any_value(argument: str, value: object) -> object:
    """The argument as it is: what it may be depends on others."""
    return value


def required_number(argument: str, value: object) -> float | Decimal:
    """A number that is there."""
    checked = number(argument, value)
    if checked is None:
        raise InvalidParameter(f"{argument} must be a number, not NULL.")
    return checked


def whole_from(smallest: int) -> Type:
    """A whole number that is not below another."""
    return Type("INTEGER", lambda argument, value: whole(argument, value, smallest))


def whole_up_to(largest: int) -> Type:
    """A whole number from 1 to what does not take too long."""
    return Type("INTEGER", lambda argument, value: whole(argument, value, 1, largest))


def one_of(*choices: str) -> Type:
    """One of these words."""
    return Type("VARCHAR", lambda argument, value: choice(argument, value, choices))


TEXT = Type("VARCHAR", text)
COLUMNS = Type("VARCHAR[]", lambda argument, value: column_list(argument, value, at_least_one=True))
NO_OR_MORE_COLUMNS = Type("VARCHAR[]", lambda argument, value: column_list(argument, value, at_least_one=False))
ONE_OR_MORE_COLUMNS = Type("VARCHAR or VARCHAR[]", any_value)
WHOLE = whole_from(1)
NUMBER = Type("DOUBLE", required_number)
SHARE = Type("DOUBLE", share)
FLAG = Type("BOOLEAN", flag)
SECRET = Type("BIGINT", secret_number)
STRUCT = Type("STRUCT or MAP", any_value)
ANY = Type("any type", any_value)


@dataclass(frozen=True)
class Parameter:
    """A parameter: what it is called, its type, what it means, and what it is where it is left out.

    `handed_over` is the SQL that the macro hands over in its place.
    """

    name: str
    type: Type
    help: str
    default: object = REQUIRED
    handed_over: str = ""

    @property
    def default_value(self) -> object:
        """The default, or None where there is none."""
        return None if self.default is REQUIRED else self.default

    @property
    def written(self) -> str:
        """The parameter as a signature shows it."""
        return self.name if self.default is REQUIRED else f"{self.name} := {literal(self.default)}"

    def read(self, value: object) -> Any:
        """Check an argument. NULL is allowed where it is the default."""
        return None if value is None and self.default is None else self.type.check(self.name, value)


@dataclass(frozen=True)
class Function:
    """A SQL function: what it answers, and its parameters in order.

    `reader` and `builder` are module:function, below `sqlanon`. The reader checks the
    arguments and returns a request, a frozen value; the builder makes the statement of it. Both are imported when they
    are first needed. A function that is an expression has one value, not rows. `body` is there for a function that is
    SQL alone and has no reader. `as_expression` is the value of an expression of the same name, if there is one, which
    takes the parameters without a default.
    """

    name: str
    answer: str
    parameters: tuple[Parameter, ...]
    reader: str = ""
    builder: str = ""
    is_expression: bool = False
    body: str = ""
    as_expression: str = ""


def literal(value: object) -> str:
    """A default as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}'" if isinstance(value, str) else str(value)
