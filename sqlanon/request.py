"""What a user asked for, checked: the arguments of each release function as a frozen value.

>>> request = read_request("ldiverse", {"tbl": "patients", "qi": ["age", "zip"], "sa": "disease", "l": 3})
>>> request.algo, request.recode, request.format
('hilbert', 'generalize', 'text')
>>> read_request("ldiverse", {"tbl": "patients", "qi": ["age", "AGE"], "sa": "disease", "l": 3})
Traceback (most recent call last):
sqlanon.errors.WrongColumn: [SA101] column 'AGE' is given twice in qi. Column names differ by more than case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from . import algorithms
from .arguments import (
    choice,
    column_list,
    flag,
    number,
    one_column,
    refuse_repeats,
    taxonomies,
    text,
    type_name,
    whole,
)
from .errors import InvalidParameter

RECODES = ("generalize", "suppress", "none")
FORMATS = ("text", "typed")
NULLS = ("value", "wildcard", "exclude")
PARAMETER = {"kanonymous": "k", "ldiverse": "l"}
SMALLEST = {"k": 1, "l": 2}
DEFAULTS: dict[str, object] = {
    "algo": "hilbert", "taxonomy": None, "recode": None, "format": "text", "keep": [], "seed": 0, "options": None,
    "nulls": "value",
}  # fmt: skip


@dataclass(frozen=True)
class Release:
    """The checked arguments of kanonymous and ldiverse.

    `least` is k or l. `sa` is empty for kanonymous. `options` are those that the kernel takes; `individual` is a column
    that tells people apart.
    """

    function: str
    tbl: str
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    least: int
    algo: str
    taxonomy: tuple[tuple[str, str], ...]
    recode: str
    format: str
    keep: tuple[str, ...]
    nulls: str
    seed: int
    options: tuple[tuple[str, object], ...]
    individual: str | None

    @property
    def parameter(self) -> str:
        """The letter of the privacy parameter."""
        return PARAMETER[self.function]


def read_request(function: str, arguments: Mapping[str, object]) -> Release:
    """Check the arguments of a release function and fill in what was left out."""
    if function not in PARAMETER:
        raise InvalidParameter.unknown("function", function, PARAMETER)
    parameter = PARAMETER[function]
    expected = {"tbl", "qi", parameter, *DEFAULTS} | ({"sa"} if function == "ldiverse" else set())
    for name in arguments:
        if name not in expected:
            raise InvalidParameter.unknown("argument", name, sorted(expected))
    given = {**DEFAULTS, **arguments}

    algorithm = algorithms.find(function, given["algo"])
    qi = column_list("qi", given.get("qi"), at_least_one=True)
    keep = column_list("keep", given["keep"], at_least_one=False)
    sa = sensitive_columns(given.get("sa"), algorithm) if function == "ldiverse" else ()
    options = read_options(given["options"], algorithm)
    individual = options.pop("individual", None)
    people = (individual,) if isinstance(individual, str) else ()
    refuse_repeats({"qi": qi, "sa": sa, "keep": keep, "options.individual": people})
    recode = algorithm.recode if given["recode"] is None else choice("recode", given["recode"], RECODES)
    if recode == "none" and not sa:
        raise InvalidParameter(
            "recode: 'none' publishes exact quasi-identifiers, which for kanonymous is the microdata itself.",
            "Choose 'generalize' or 'suppress'.",
        )
    least = whole(parameter, given.get(parameter), SMALLEST[parameter])
    if algorithm.pairs and least != 2:
        raise InvalidParameter(f"algo {algorithm.name!r} works for l = 2 only, not {least}.", "Choose another algo.")
    return Release(
        function=function,
        tbl=text("tbl", given.get("tbl")),
        qi=qi,
        sa=sa,
        least=least,
        algo=algorithm.name,
        taxonomy=taxonomies(given["taxonomy"], qi),
        recode=recode,
        format=choice("format", given["format"], FORMATS),
        keep=keep,
        nulls=choice("nulls", given["nulls"], NULLS),
        seed=whole("seed", given["seed"], 0),
        options=tuple(options.items()),
        individual=people[0] if people else None,
    )


@dataclass(frozen=True)
class Verification:
    """The checked arguments of a function that verifies. Those that it does not have are empty or None."""

    function: str
    tbl: str
    qi: tuple[str, ...]
    sa: str | None
    entity: str | None
    nulls: str
    bounds: tuple[tuple[str, float | Decimal], ...]
    taxonomy: str | None


VERIFIES: dict[str, tuple[str, ...]] = {
    "equivalence_classes": ("qi", "sa", "entity", "nulls"),
    "privacy": ("qi", "sa", "taxonomy", "entity", "nulls"),
    "recursive_c": ("qi", "sa", "l", "entity", "nulls"),
    "violations": ("qi", "sa", "k", "l", "entropy_l", "t", "c", "entity", "nulls"),
    "risk": ("qi", "threshold", "entity", "nulls"),
    "risk_by_size": ("qi", "entity", "nulls"),
    "eligibility": ("sa",),
    "eligible_c": ("sa", "l"),
    "buckets": ("sa",),
}
"""The arguments of each function that verifies, beside tbl."""
THRESHOLD = {"threshold": Decimal("0.2")}
"""What risk takes for high where nothing is said."""


def read_verification(function: str, arguments: Mapping[str, object]) -> tuple[Verification, ...]:
    """Check the arguments of a function that verifies; one request per sensitive attribute."""
    takes = VERIFIES[function]
    for name in arguments:
        if name not in ("tbl", *takes):
            raise InvalidParameter.unknown("argument", name, ("tbl", *takes))
    qi = column_list("qi", arguments.get("qi"), at_least_one=True) if "qi" in takes else ()
    entity = None if arguments.get("entity") is None else text("entity", arguments["entity"])
    bounds = {name: number(name, arguments.get(name, THRESHOLD.get(name))) for name in RANGES if name in takes}
    check_bounds(function, bounds)
    several: tuple[str | None, ...] = (None,)
    if "sa" in takes:
        given = arguments.get("sa")
        several = column_list("sa", given, at_least_one=True) if isinstance(given, list) else (one_column(given),)
        refuse_repeats({"qi": qi, "sa": tuple(name for name in several if name is not None)}, reserved=())
    names = tuple(name for name in several if name is not None)
    tables = dict(taxonomies(arguments.get("taxonomy"), names, "sa"))
    return tuple(
        Verification(
            function=function,
            tbl=text("tbl", arguments.get("tbl")),
            qi=qi,
            sa=sa,
            entity=entity,
            nulls=choice("nulls", arguments.get("nulls", "value"), NULLS),
            bounds=tuple((name, bound) for name, bound in bounds.items() if bound is not None),
            taxonomy=tables.get(sa) if sa is not None else None,
        )
        for sa in several
    )


RANGES: dict[str, tuple[int, int | None]] = {
    "k": (1, None), "l": (1, None), "entropy_l": (1, None), "t": (0, 1), "c": (0, None), "threshold": (0, 1),
}  # fmt: skip


def check_bounds(function: str, bounds: Mapping[str, float | Decimal | None]) -> None:
    """Refuse bounds that are missing, out of range, or mean nothing alone."""
    for name in ("l",) if function in ("recursive_c", "eligible_c") else ("threshold",) if function == "risk" else ():
        if bounds[name] is None:
            raise InvalidParameter(f"{name} must be a number, not NULL.")
    for name, bound in bounds.items():
        low, high = RANGES[name]
        if bound is not None and (bound < low or (high is not None and bound > high)):
            goes = f"It starts at {low}." if high is None else f"It goes from {low} to {high}."
            raise InvalidParameter(f"{name} = {bound} is out of range.", goes)
    if bounds.get("c") is not None and bounds.get("l") is None:
        raise InvalidParameter("c is given without l.", "Recursive (c,l)-diversity needs both.")
    counts_values = function in ("recursive_c", "eligible_c") or bounds.get("c") is not None
    if bounds.get("k") is not None:
        whole("k", bounds["k"], 1)
    if counts_values:
        whole("l", bounds["l"], 1)
    if function == "violations" and all(bound is None for bound in bounds.values()):
        raise InvalidParameter("violations needs a bound.", "Give at least one of k, l, entropy_l, t, c.")


def sensitive_columns(given: object, algorithm: algorithms.Algorithm) -> tuple[str, ...]:
    """One sensitive attribute, or as many as the algorithm can protect at once."""
    if not algorithm.apart:
        return (one_column(given),)
    return column_list("sa", [given] if isinstance(given, str) else given, at_least_one=True)


OPTIONS: dict[str, Callable[[str, object], object]] = {"individual": text, "exact": flag}
"""How the value of each option is read."""


def read_options(given: object, algorithm: algorithms.Algorithm) -> dict[str, object]:
    """Check the keys and the values of options; one that is NULL is as good as left out."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidParameter(f"options must be a struct or map, not {type_name(given)}.")
    for name in given:
        if name not in algorithm.options:
            raise InvalidParameter(
                f"options: {str(name)!r} is not an option of {algorithm.function} with algo {algorithm.name!r}.",
                f"It takes: {', '.join(algorithm.options) or 'none'}.",
            )
    return {name: OPTIONS[name](f"options.{name}", value) for name, value in given.items() if value is not None}
