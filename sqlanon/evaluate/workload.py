"""The count queries that a release is tried with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import number, text, type_name, whole
from sqlanon.errors import InvalidParameter


@dataclass(frozen=True)
class Workload:
    """Random queries, `queries` for each number of dimensions; or the user's own, in the table `predicates`."""

    dims: tuple[int, ...]
    queries: int
    selectivity: float
    seed: int
    predicates: str | None


def read_workload(arguments: Mapping[str, object], columns: int) -> Workload:
    """Check what count_query_error takes beside tables and columns; `columns` counts qi and sa."""
    if arguments["predicates"] is not None:
        return Workload((), 0, 1.0, 0, text("predicates", arguments["predicates"]))
    selectivity = number("selectivity", arguments["selectivity"])
    if selectivity is None or not 0 < selectivity <= 1:
        raise InvalidParameter("selectivity is out of range.", "It is a share of the rows: above 0, at most 1.")
    return Workload(
        dims=read_dims(arguments["dims"], columns),
        queries=whole("queries", arguments["queries"], 1),
        selectivity=float(selectivity),
        seed=whole("seed", arguments["seed"], 0),
        predicates=None,
    )


def read_dims(value: object, columns: int) -> tuple[int, ...]:
    """One number of dimensions or several; the sensitive attribute is one of them."""
    if value is None:
        raise InvalidParameter(
            f"dims must be a whole number or a list of them, not {type_name(value)}.",
            "Say how many columns a query concerns, sa included, or give predicates.",
        )
    several = tuple(value) if isinstance(value, list | tuple) else (value,)
    dims = tuple(whole("dims", one, 1) for one in several)
    if not dims or len(set(dims)) < len(dims):
        raise InvalidParameter("dims is an empty list." if not dims else "dims names a number twice.")
    if max(dims) > columns:
        raise InvalidParameter(f"dims = {max(dims)} is out of range.", f"qi and sa are {columns} columns.")
    return dims
