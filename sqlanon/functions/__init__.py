"""Every SQL function, declared once: what it answers, its parameters, what reads them and what builds its statement.

The macros that users call, their comments in DuckDB's catalog, the checks of single arguments, the options of the
command line and the signatures of the documentation follow from the declarations.

>>> find("privacy").builder
'verify.statement:verification_statement'
>>> read_arguments("risk", {"tbl": "t", "qi": ["age"]})["threshold"]
0.2
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..errors import InvalidParameter
from . import (
    certify,
    columns,
    compare,
    datasets,
    estimate,
    evaluate,
    randomize,
    release,
    search,
    taxonomies,
    verify,
)
from .declaration import Function, Parameter

__all__ = ["FUNCTIONS", "Function", "Parameter", "complete_arguments", "find", "read_arguments", "signature"]

FUNCTIONS: tuple[Function, ...] = (
    *release.FUNCTIONS,
    *randomize.FUNCTIONS,
    *taxonomies.FUNCTIONS,
    *columns.FUNCTIONS,
    *verify.FUNCTIONS,
    *certify.FUNCTIONS,
    *compare.FUNCTIONS,
    *evaluate.FUNCTIONS,
    *estimate.FUNCTIONS,
    *search.FUNCTIONS,
    *datasets.FUNCTIONS,
)


@cache
def by_name() -> Mapping[str, Function]:
    """The functions by name."""
    return {function.name: function for function in FUNCTIONS}


def find(name: str) -> Function:
    """Return a function; SA102 lists the choices."""
    if name not in by_name():
        raise InvalidParameter.unknown("function", name, by_name())
    return by_name()[name]


@cache
def signature(function: str) -> Mapping[str, object]:
    """The parameters of a function with their defaults, None for those without."""
    return {parameter.name: parameter.default_value for parameter in find(function).parameters}


def complete_arguments(function: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a call in the order of the parameters, with the default for each that was left out."""
    parameters = signature(function)
    for name in arguments:
        if name not in parameters:
            raise InvalidParameter(f"{function} takes no {name}.", f"It takes: {', '.join(parameters)}.")
    return {**parameters, **arguments}


def read_arguments(function: str, arguments: Mapping[str, object]) -> dict[str, Any]:
    """The arguments of a call, each checked by the type of its parameter."""
    complete = complete_arguments(function, arguments)
    return {parameter.name: parameter.read(complete[parameter.name]) for parameter in find(function).parameters}
