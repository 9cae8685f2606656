"""stronger_requirements, which has no table: the weakest requirements that imply (tau,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.arguments import whole
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments
from sqlanon.statement.template import query

from .request import check_tau


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


def requirements_statement(request: Requirement) -> exp.Select:
    """One row for simple l-diversity, then one per l of recursive (c,l)-diversity, which start where c reaches 1.

    Tian and Zhang 2011, Corollaries 21 and 24.
    """
    first = request.m + 1 - (request.m - 1) // (request.l - 1)
    return query(
        """
        SELECT c, l
        FROM (
            SELECT CAST(NULL AS DOUBLE) AS c, CAST(:l AS BIGINT) AS l
            UNION ALL
            SELECT CAST(:m - 1 AS DOUBLE) / ((:l - 1) * (:m - larger + 1)), larger
            FROM (SELECT unnest(range(:first, :m + 1)) AS larger) AS every
        ) AS requirements
        ORDER BY c IS NULL DESC, l ASC
        """,
        l=exp.Literal.number(request.l),
        m=exp.Literal.number(request.m),
        first=exp.Literal.number(first),
    )
