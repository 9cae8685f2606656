"""Warming a kernel up, and what is said meanwhile."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import naive
import numpy as np
import pytest
from sqlanon.udfs import compiling
from sqlanon.udfs.groups import load_kernel
from sqlanon.udfs.kernels.space import Ints, Microdata

from sqlanon.algorithms import ALGORITHMS


def taking(seconds: float, runs: list[int]) -> Callable[[Microdata, int], Ints]:
    """A kernel that takes its time and keeps count of its runs."""

    def partition(data: Microdata, least: int) -> Ints:
        runs.append(least)
        time.sleep(seconds)
        return np.zeros(data.sensitive.size, np.int32)

    return partition


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(compiling, "PATIENCE", 0.05)
    caplog.set_level(logging.INFO, logger="sqlanon")
    return caplog


def test_a_slow_kernel_is_excused_once(impatient: pytest.LogCaptureFixture) -> None:
    runs: list[int] = []
    slow = taking(0.4, runs)
    compiling.warm_up(slow)
    assert [record.levelname for record in impatient.records] == ["WARNING"]
    assert "compiling for this machine" in impatient.text
    compiling.warm_up(slow)
    assert len(impatient.records) == 1
    assert len(runs) == 1


def test_each_slow_kernel_is_excused(impatient: pytest.LogCaptureFixture) -> None:
    compiling.warm_up(taking(0.4, []))
    compiling.warm_up(taking(0.4, []))
    assert len(impatient.records) == 2


def test_nothing_is_said_of_a_quick_kernel(impatient: pytest.LogCaptureFixture) -> None:
    compiling.warm_up(taking(0.0, []))
    time.sleep(0.2)  # longer than its patience: the word that was ready must not be said any more
    assert impatient.records == []


def test_a_kernel_that_failed_is_warmed_up_again(impatient: pytest.LogCaptureFixture) -> None:
    runs: list[int] = []

    def failing(data: Microdata, least: int) -> Ints:
        runs.append(least)
        raise MemoryError

    for _ in range(2):
        with pytest.raises(MemoryError):
            compiling.warm_up(failing)
    time.sleep(0.2)
    assert len(runs) == 2
    assert impatient.records == []


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: f"{algorithm.function}-{algorithm.name}")
def test_the_four_rows_suit_every_algorithm(algorithm: object) -> None:
    partition = load_kernel(algorithm.kernel)  # type: ignore[attr-defined]
    data = compiling.four_rows()
    group_of = partition(data, 2)
    assert group_of.min() >= 0
    for group in set(group_of.tolist()):
        sensitive = data.sensitive[group_of == group].tolist()
        assert len(sensitive) >= 2
        assert algorithm.function != "ldiverse" or naive.is_diverse(sensitive, 2)  # type: ignore[attr-defined]
