"""The bounds of a policy, which the release has to keep.

>>> read_bounds({"k": 5, "max_risk": 0.2}, "kanonymous", {"qi": ["age"], "k": 5})
({}, {'risk': 0.2})
>>> read_rows({"min_rows": 1000, "k": 5})
{'min_rows': 1000}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arguments import LARGEST_NUMBER, number, share, whole
from ..bounds import BY_NAME, NAMES
from ..certificate.release_call import read_call
from ..certificate.request import read_certification, sensitive_columns
from ..errors import InvalidParameter
from .keys import known_keys

LIMITS = {"max_risk": "risk", "max_gcp": "gcp"}
"""Keys, and the measures that they limit."""

ROWS = ("min_rows", "max_rows")
"""The least and the greatest number of rows of the source."""

BOUND_KEYS = (*NAMES, *LIMITS, *ROWS)


def read_bounds(
    bounds: Mapping[str, object], function: str, arguments: Mapping[str, Any]
) -> tuple[dict[str, float], dict[str, float]]:
    """The bounds that have to be checked beside what the function promises, and the highest value of measures."""
    known_keys("[bounds]", bounds, BOUND_KEYS)
    most = {LIMITS[name]: share(f"bounds.{name}", bounds[name]) for name in LIMITS if name in bounds}
    numbers = {name: read_number(f"bounds.{name}", bounds[name]) for name in bounds if name not in (*LIMITS, *ROWS)}
    sa = sensitive_columns(arguments.get("sa"))
    call = read_call(function, arguments, tuple(arguments["qi"]), sa)
    further = {name: value for name, value in numbers.items() if not is_promised(name, value, call.bounds, numbers)}
    shared = {"rel": "release", "qi": arguments["qi"], "sa": arguments.get("sa")}
    read_certification("certify", {**shared, "function": function, "arguments": arguments, **further})
    return further, most


def read_rows(bounds: Mapping[str, object]) -> dict[str, int]:
    """The bounds for the rows of the source."""
    rows = {name: whole(f"bounds.{name}", bounds[name], 0, LARGEST_NUMBER) for name in ROWS if name in bounds}
    if len(rows) == len(ROWS) and rows["min_rows"] > rows["max_rows"]:
        raise InvalidParameter("[bounds] has a min_rows above its max_rows.", "No source has as many rows.")
    return rows


def read_number(name: str, value: object) -> float:
    """A number, which is there."""
    bound = number(name, value)
    if bound is None:
        raise InvalidParameter(f"{name} must be a number, not NULL.", "Leave it out.")
    return float(bound)


def is_promised(name: str, value: float, promised: Mapping[str, float], bounds: Mapping[str, float]) -> bool:
    """Whether the release function promises that much by itself. The l of c and tau says what they mean: it stays."""
    if name not in promised or (name == "l" and {"c", "tau"} & bounds.keys()):
        return False
    if BY_NAME[name].is_stronger(value, promised[name]):
        raise InvalidParameter(
            f"[bounds] has {name} = {value:g}; [release] promises {name} = {promised[name]:g}.",
            f"Change {name} in [release].",
        )
    return True
