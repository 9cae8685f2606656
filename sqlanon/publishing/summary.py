"""A release in a few numbers: sizes, the bounds that were promised and achieved, the loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..bounds import NAMES, Bound
from ..certificate import Certificate
from ..release.request import read_release

if TYPE_CHECKING:
    from .release import Outcome


OWNER_DIGITS = 3
"""Digits of figures that need the source: more would tell of single rows."""


def to_owner_digits(figure: float) -> float:
    """A figure that needs the source, as it is shown."""
    return float(f"{figure:.{OWNER_DIGITS}g}")


def summarize(outcome: Outcome, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers; `arguments` are those of the release function. What was achieved is about people if they were
    counted, and about rows if not.
    """
    certificate, gcp = outcome
    return {
        "function": certificate.function,
        "algo": arguments["algo"],
        "source_rows": certificate.source_rows,
        "release_rows": certificate.rows,
        "suppressed_rows": certificate.suppressed_rows,
        "groups": certificate.groups,
        "counted": certificate.noun,
        **({} if certificate.people is None else {"people": certificate.people["count"]}),
        **{f"promised_{name}": arguments[name] for name in NAMES if arguments.get(name) is not None},
        **{f"achieved_{name}": value for name, value in achieve(certificate, arguments).items()},
        "highest_risk": certificate.strictest_risk["prosecutor"],
        "gcp": None if gcp is None else to_owner_digits(gcp),
        **{name: ", ".join(columns) for name, columns in suspicious_columns(certificate).items()},
    }


def suspicious_columns(certificate: Certificate) -> dict[str, tuple[str, ...]]:
    """Columns for which a release cannot be called safe, by what is wrong with them; nothing where all is well."""
    columns_by_warning = {
        "identifying_columns": certificate.identifying_columns,
        "repeating_identifiers": certificate.repeating_identifiers or (),
    }
    return {name: columns for name, columns in columns_by_warning.items() if columns}


WARNINGS = {
    "identifying_columns": "published as they are, these columns lead to people: {}",
    "narrowing_columns": "published as they are, these columns tell most rows apart in their class: {}. Whoever knows "
    "values of theirs beside the quasi-identifiers finds the row",
    "repeating_identifiers": "rows were counted, not people: these columns of the source look like identifiers, and "
    "repeat: {}. If one tells people apart, name it as entity",
}
"""A warning for each kind of suspicious columns."""


def warnings(certificate: Certificate) -> list[str]:
    """Warnings about the release, a sentence each."""
    suspicious = {**suspicious_columns(certificate), "narrowing_columns": certificate.narrowing_columns}
    suspicious = {name: columns for name, columns in suspicious.items() if columns}
    return [f"{WARNINGS[name].format(', '.join(map(repr, columns)))}." for name, columns in suspicious.items()]


def achieve(certificate: Certificate, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The bounds that the release keeps, of people or rows, as far as the release shows them."""
    release = read_release(str(certificate.function), {**arguments, "tbl": "release"})
    counted = certificate.strictest_measures
    if release.model.any_bounds:
        promised = release.model.promised
        return {bound.name: weakest(bound, [each[bound.measure] for each in counted]) for bound in promised}
    exact = release.recode == "none"
    achieved = {} if exact else {"k": counted[0]["k"]}
    if certificate.function == "ldiverse" and not exact:
        achieved["l"] = min(each["frequency_l"] for each in counted)
    elif certificate.function != "kanonymous":  # sensitive values are lists or labels
        guessed = [each["tau"] for each in certificate.measures]
        if None not in guessed:  # as where bins of numbers have labels that no taxonomy explains
            achieved["tau"] = max(guessed)
    return achieved


def weakest(bound: Bound, values: Sequence[float | None]) -> float | None:
    """The value of a bound that all of several attributes keep; None if one of them keeps none."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return min(known) if bound.larger_is_stronger else max(known)
