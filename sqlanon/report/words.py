"""Numbers and names as people read them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..bounds import BY_NAME
from ..certificate import Certificate

BETTER_GUESSES = "whoever learns from the whole release, or knows more, may guess better"
"""The attack that 1/l does not bound; docs/threat-model.md explains it."""

EQUALLY_LIKELY = "if the values below a label, or in a list, are equally likely"
"""The assumption behind shares of labels and lists."""

MEASURES: Mapping[str, str] = {
    "k": "rows or people in the smallest class",
    "distinct_l": "different sensitive values in the class with the fewest",
    "frequency_l": "1 / the share of the most frequent sensitive value, in the worst class",
    "entropy_l": "how many equally frequent values a class is as mixed as, in the worst class",
    "unique_distinct_l": "l, if every class has exactly l values, each once",
    "t": "largest distance between a class and the whole table",
    "t_ordered": "the same for values with an order",
    "t_hierarchical": "the same by a taxonomy of the sensitive values",
    "alpha": "share of the most frequent sensitive value, in the worst class",
    "basic_beta": "largest relative gain in confidence about a value",
    "enhanced_beta": "the same, where no gain is beyond its limit",
    "delta_disclosure": "largest change of a share, as a logarithm",
    "recursive_c": "c of recursive (c,l)-diversity",
    "tau": f"largest share of a sensitive value, {EQUALLY_LIKELY}",
}
"""The measures of `privacy` and `certify`, in a few words each."""

MISSING, EMPTY = "(missing)", "(empty text)"


def promise_sentence(certificate: Certificate, bound: str) -> str:
    """A bound that was promised, in a sentence."""
    value = certificate.bounds[bound]
    names = " or ".join(certificate.sa)
    return BY_NAME[bound].promise.format(
        bound=number(value),
        less=number(value - 1),
        sa=names,
        share=percent(float(value)),
        noun=certificate.noun,
        better_guesses=BETTER_GUESSES,
        equally_likely=EQUALLY_LIKELY,
    )


def singular(noun: str) -> str:
    """A noun in the singular.

    >>> singular("people"), singular("rows")
    ('person', 'row')
    """
    return {"people": "person", "rows": "row"}[noun]


def percent(share: float | None) -> str:
    """A share, with as many digits as are worth it.

    >>> percent(0.12345), percent(0.5), percent(0.0004), percent(0.9999), percent(1), percent(0), percent(None)
    ('12.3%', '50%', '< 0.1%', '> 99.9%', '100%', '0%', 'unknown')
    >>> percent(1 - 1e-16), percent(1e-17)
    ('100%', '0%')
    """
    if share is None:
        return "unknown"
    share = round(share, 9)  # sums of shares may miss 1 by their last digits
    if 0 < share < 0.001:
        return "< 0.1%"
    if 0.999 < share < 1:
        return "> 99.9%"
    return f"{share * 100:.1f}".removesuffix(".0") + "%"


def number(value: object) -> str:
    """A number as a table shows it.

    >>> number(1234567), number(0.123456), number(4.0), number(None), number(math.inf)
    ('1,234,567', '0.1235', '4', 'none', 'unlimited')
    """
    if value is None:
        return "none"
    if isinstance(value, float) and math.isinf(value):
        return "unlimited"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"
    return label(str(value))


def write_value(value: object) -> str:
    """A value of a certificate, which may be a list or a mapping of values.

    >>> write_value(["a", "b"]), write_value({"suppress": 0.05}), write_value([]), write_value(True)
    ('a, b', 'suppress: 0.05', 'none', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{label(str(name))}: {write_value(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(write_value(each) for each in value) or "none"
    return number(value)


def label(text: str | None) -> str:
    """A name or a value without characters that would move or hide what stands around it.

    >>> label("a" + chr(0x202E) + "b").replace(chr(92), "|"), label(None)
    ('a|u202eb', '(missing)')
    """
    if not text:
        return MISSING if text is None else EMPTY
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def one_in(chance: float) -> str:
    """A chance as people say it.

    >>> one_in(0.25), one_in(1.0), one_in(0.3)
    ('1 in 4', 'certain', '30%')
    """
    if chance >= 1:
        return "certain"
    times = 1 / chance if chance > 0 else 0
    return f"1 in {round(times):,}" if times and math.isclose(times, round(times), rel_tol=1e-3) else percent(chance)
