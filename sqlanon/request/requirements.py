"""The arguments of stronger_requirements, which has no table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import whole
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments

from .verification import check_tau


@dataclass(frozen=True)
class Requirement:
    """(tau,l)-diversity of an attribute with m values. What is stronger does not depend on tau."""

    l: int
    m: int


def read_requirement(function: str, arguments: Mapping[str, object]) -> Requirement:
    """Check the arguments of stronger_requirements."""
    checked = read_arguments(function, arguments)
    tau, l, m = checked["tau"], whole("l", checked["l"], 2), checked["m"]
    if tau is None:
        raise InvalidParameter("tau must be a number, not NULL.")
    if l > m:
        raise InvalidParameter(f"l = {l} is out of range.", f"It ends at m, the number of values, {m}.")
    check_tau({"tau": tau, "l": l})
    return Requirement(l, m)
