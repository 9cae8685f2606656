"""Warming a kernel up, and what is said meanwhile."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sqlanon.udfs.grouping import compiling
from sqlanon.udfs.grouping.partition import load_kernel
from sqlanon.udfs.grouping.requirements import kernel_arguments
from sqlanon.udfs.kernels.runtime import cache
from sqlanon.udfs.kernels.space import Generalization, Ints, Microdata
from twins import naive

from sqlanon.release.algorithms import ALGORITHMS, Algorithm, Publishes
from sqlanon.release.models import find as find_model

Excuses = pytest.LogCaptureFixture


Kernel = Callable[[Microdata, int], Ints]


def until(happened: Callable[[], object]) -> None:
    """Wait for what another thread is about to do, a minute at most."""
    for _ in range(6000):
        if happened():
            return
        time.sleep(0.01)


def taking_until(happened: Callable[[], object], runs: list[int], compiles: bool = True) -> Kernel:
    """A kernel that takes its time, compiling or not, and keeps count of its runs."""

    def partition(data: Microdata, least: int) -> Ints:
        runs.append(least)
        if compiles:
            cache.compiled.append("a kernel")
        until(happened)
        return np.zeros(data.sensitive.size, np.int32)

    return partition


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> Excuses:
    monkeypatch.setattr(compiling, "PATIENCE", 0.02)
    monkeypatch.setattr(cache, "compiled", [])
    monkeypatch.setattr(cache, "directory", lambda: tmp_path / "kernels")
    caplog.set_level(logging.INFO, logger="sqlanon")
    return caplog


def test_a_kernel_that_compiles_is_excused_once_by_its_name(impatient: Excuses) -> None:
    runs: list[int] = []
    slow = taking_until(lambda: impatient.records, runs)
    compiling.warm_up(slow, "hilbert")
    assert [record.levelname for record in impatient.records] == ["WARNING"]
    assert "compiling algo 'hilbert' for this machine" in impatient.text
    assert "is kept in your cache directory" in impatient.text
    compiling.warm_up(slow, "hilbert")
    assert len(impatient.records) == 1
    assert len(runs) == 1


def test_each_kernel_that_compiles_is_excused(impatient: Excuses) -> None:
    compiling.warm_up(taking_until(lambda: impatient.records, []), "tp")
    compiling.warm_up(taking_until(lambda: impatient.records[1:], []), "bsgi")
    assert len(impatient.records) == 2


def test_where_nothing_can_be_kept_the_excuse_says_so(impatient: Excuses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "directory", lambda: Path(__file__) / "no directory")
    compiling.warm_up(taking_until(lambda: impatient.records, []), "tp")
    assert "cannot be kept for the next process: not a directory. Set NUMBA_CACHE_DIR" in impatient.text


def test_a_kernel_that_is_slow_for_another_reason_is_not_said_to_compile(impatient: Excuses) -> None:
    asked: list[float] = []

    class Waited(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            asked.append(timeout or 0.0)
            return super().wait(timeout)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compiling.threading, "Event", Waited)
        compiling.warm_up(taking_until(lambda: asked[3:], [], compiles=False), "hilbert")
    assert impatient.records == []


def test_nothing_is_said_once_a_kernel_has_run(impatient: Excuses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 3600.0)
    threads = threading.active_count()
    compiling.warm_up(taking_until(lambda: True, []), "hilbert")
    until(lambda: threading.active_count() <= threads)
    assert threading.active_count() <= threads
    assert impatient.records == []


def test_a_kernel_that_failed_is_warmed_up_again(impatient: Excuses) -> None:
    runs: list[int] = []

    def failing(data: Microdata, least: int) -> Ints:
        runs.append(least)
        raise MemoryError

    for _ in range(2):
        with pytest.raises(MemoryError):
            compiling.warm_up(failing, "hilbert")
    assert len(runs) == 2
    assert impatient.records == []


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: f"{algorithm.model}-{algorithm.name}")
def test_the_four_rows_suit_every_algorithm(algorithm: Algorithm) -> None:
    partition = load_kernel(algorithm.kernel)
    data = compiling.four_rows(trees=algorithm.publishes is not Publishes.EXTENTS)
    model = find_model(algorithm.model)
    answer = partition(data, *kernel_arguments(model, model.example))
    group_of = answer.group_of if isinstance(answer, Generalization) else answer
    assert group_of.min() >= 0
    for group in set(group_of.tolist()):
        sensitive = data.sensitive[group_of == group].tolist()
        assert len(sensitive) >= 2
        assert algorithm.function == "kanonymous" or naive.is_diverse(sensitive, 2)
