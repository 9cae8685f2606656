"""The ways to reconstruct a cross tabulation from lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .likelihood import maximize_likelihood
from .published import Lists, Reconstructed, by_value_adding, run_bayes, tabulate


def iterate_bayes(lists: Lists) -> Reconstructed:
    """By the likelihood of single items (equation 26)."""
    return run_bayes(tabulate(*lists))


def add_values(lists: Lists) -> Reconstructed:
    """By a plain formula (equation 18)."""
    return by_value_adding(tabulate(*lists))


METHODS: Mapping[str, Callable[[Lists], Reconstructed]] = {
    "likelihood": maximize_likelihood,
    "bayes": iterate_bayes,
    "value_adding": add_values,
}
