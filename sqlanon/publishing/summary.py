"""What came out of a release, in a few numbers: sizes, what was promised, what was achieved, what was lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..certificate import Certificate
from ..request.release import read_release


def summarize(certificate: Certificate, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers; `arguments` are those of the release function."""
    assert certificate.function is not None and certificate.loss is not None
    return {
        "function": certificate.function,
        "algo": arguments["algo"],
        "source_rows": certificate.source_rows,
        "release_rows": certificate.rows,
        "suppressed_rows": certificate.loss["suppressed_rows"],
        "groups": certificate.groups,
        **{f"promised_{name}": arguments[name] for name in ("k", "l", "tau") if name in arguments},
        **{f"achieved_{name}": value for name, value in achieve(certificate, arguments).items()},
        "gcp": certificate.loss["gcp"],
    }


def achieve(certificate: Certificate, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What the release keeps, by rows, as far as it can be told from the release alone."""
    release = read_release(str(certificate.function), {**arguments, "tbl": "release"})
    measured: list[Mapping[str, Any]] = list(certificate.measures)
    exact = release.recode == "none"
    achieved = {} if exact else {"k": measured[0]["k"]}
    if certificate.function == "ldiverse" and not exact:
        achieved["l"] = min(each["frequency_l"] for each in measured)
    elif certificate.function != "kanonymous":  # sensitive values are lists or labels
        guessed = [each["tau"] for each in measured]
        if None not in guessed:  # as where bins of numbers have labels that no taxonomy explains
            achieved["tau"] = max(guessed)
    return achieved
