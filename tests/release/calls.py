"""Calls of release functions by every algorithm of the registry."""

from __future__ import annotations

import pytest

from sqlanon.release.algorithms import ALGORITHMS, Algorithm

ONE_TABLE = [algorithm for algorithm in ALGORITHMS if algorithm.function != "taudiverse"]
"""Those of kanonymous, ldiverse and anonymize; taudiverse takes other arguments and has tests of its own."""

each_algorithm = pytest.mark.parametrize("algorithm", ONE_TABLE, ids=lambda one: f"{one.model}-{one.name}")


def release_by(
    algorithm: Algorithm, table: str, qi: str, k: int, sensitive: tuple[str, int], more: str, c: float = 3
) -> str:
    """A call that publishes the table by the algorithm, with k, or with the sensitive attribute and l."""
    sa, l = sensitive
    arguments = {"kanonymous": str(k), "anonymize": f"'{sa}', l := {l}"}.get(algorithm.function, f"'{sa}', {l}")
    recursive = f", options := {{'c': {c}}}" if algorithm.model == "recursive diversity" else ""
    return f"{algorithm.function}($${table}$$, {qi}, {arguments}, algo := '{algorithm.name}', {more}{recursive})"
