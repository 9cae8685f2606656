"""Every kernel that may take long looks at the flag, and no algorithm goes on with what a stopped kernel left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sqlanon.udfs.grouping.compiling import four_rows
from sqlanon.udfs.grouping.partition import load_kernel
from sqlanon.udfs.grouping.requirements import kernel_arguments
from sqlanon.udfs.kernels import matching
from sqlanon.udfs.kernels.along_curve import along, swaps
from sqlanon.udfs.kernels.bsgi import bsgi
from sqlanon.udfs.kernels.halving import mondrian, topdown
from sqlanon.udfs.kernels.hilbert import curve, hilbert
from sqlanon.udfs.kernels.idistance import idistance
from sqlanon.udfs.kernels.lattice import incognito, tds
from sqlanon.udfs.kernels.lattice import table as lattice_table
from sqlanon.udfs.kernels.loss_bound.bound import bound_loss
from sqlanon.udfs.kernels.measure import density
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.sweep import classes as sweep_classes
from sqlanon.udfs.kernels.sweep import climb as sweep_climb
from sqlanon.udfs.kernels.sweep import sweep

from sqlanon.release.algorithms import ALGORITHMS
from sqlanon.release.models import find as find_model

SET = np.ones(1, np.uint8)


@pytest.mark.usefixtures("stop_kernels")
@pytest.mark.parametrize("effort", [1, 2])
def test_no_bound_comes_of_a_stopped_kernel(effort: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        bound_loss(four_rows(), 2, False, effort, seed=0)


@pytest.fixture
def stop_kernels() -> Iterator[None]:
    STOP[0] = 1
    yield
    STOP[0] = 0


@pytest.mark.usefixtures("stop_kernels")
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: f"{algorithm.model}-{algorithm.name}")
def test_every_algorithm_leaves_once_kernels_are_stopped(algorithm: Any) -> None:
    model = find_model(algorithm.model)
    with pytest.raises(KeyboardInterrupt):
        load_kernel(algorithm.kernel)(four_rows(trees=True), *kernel_arguments(model, model.example))


class Left(Exception):
    """A kernel has returned, and the rest does not matter."""


def box_around_one_of_two_points() -> None:
    points = np.array([[0], [5]], np.int32)
    density.densities(points, np.zeros((1, 1), np.int32), np.ones((1, 1), np.int32), np.ones(1))


@pytest.mark.parametrize(
    ("module", "kernel", "run"),
    [
        (curve, "fill_keys", lambda: hilbert.k_groups(four_rows(), 2)),
        (along, "cut_by_extent", lambda: hilbert.k_groups(four_rows(), 2)),
        (along, "cut_by_key", lambda: hilbert.k_groups_fast(four_rows(), 2)),
        (along, "deal_from_frontier", lambda: hilbert.l_groups(four_rows(), 2)),
        (idistance, "measure_rows", lambda: idistance.k_groups(four_rows(), 2)),
        (mondrian, "cut_apart", lambda: mondrian.k_groups(four_rows(), 2)),
        (lattice_table, "merge_classes", lambda: incognito.k_groups(four_rows(), 2)),
        (lattice_table, "judge_classes", lambda: tds.l_groups(four_rows(), 2)),
        (topdown, "halve", lambda: topdown.k_groups(four_rows(), 2)),
        (bsgi, "select", lambda: bsgi.l_groups(four_rows(), 2)),
        (sweep_climb, "count_climbers", lambda: sweep.tau_groups(four_rows(trees=True), 0.5, 2)),
        (density, "add_boxes", box_around_one_of_two_points),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_stopped_kernel_fills_nothing(
    module: ModuleType, kernel: str, run: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(module, kernel)

    def call(*arguments: Any) -> None:
        *others, filled, _ = arguments
        filled[:] = 7
        real(*others, filled, SET)
        assert (filled == 7).all()
        real(*others, filled, STOP)
        assert not (filled == 7).all(), "which it does if it is not stopped"
        raise Left

    monkeypatch.setattr(module, kernel, call)
    with pytest.raises(Left):
        run()


def test_a_stopped_exchange_of_rows_exchanges_none() -> None:
    space = four_rows().space
    codes, alike = np.array([[0], [1], [0], [1]], np.int32), np.zeros(4, np.int32)
    for stop, exchanged in ((SET, 0), (STOP, 1)):
        group_at = np.array([0, 0, 1, 1], np.int32)
        assert swaps.swap_alike(codes, space, alike, group_at, 2, 4, stop) == exchanged


def test_a_stopped_match_matches_nobody() -> None:
    cost = np.array([[0, 1], [1, 0]], np.int32)
    assert matching.match(cost, np.arange(2), SET)[0].tolist() == [-1, -1]
    assert matching.match(cost, np.arange(2), STOP)[0].tolist() == [0, 1]


def test_what_is_stopped_is_not_incorporated() -> None:
    codes, apart = np.array([[0], [0], [1]], np.int32), np.array([[0], [1], [2]], np.int32)
    for stop, group in ((SET, -1), (STOP, 0)):
        group_at = np.array([0, 0, -1], np.int32)
        bsgi.incorporate(codes, apart, four_rows().space, 1, True, group_at, stop)
        assert group_at[2] == group


def test_a_stopped_sweep_closes_no_class(monkeypatch: pytest.MonkeyPatch) -> None:
    real = sweep_classes.close_classes

    def call(*arguments: Any) -> None:
        *others, grouping, _ = arguments
        real(*others, grouping, SET)
        assert grouping.groups[0] == 0
        real(*others, grouping, STOP)
        assert grouping.groups[0] > 0, "which it does if it is not stopped"
        raise Left

    monkeypatch.setattr(sweep_classes, "close_classes", call)
    with pytest.raises(Left):
        sweep.tau_groups(four_rows(trees=True), 0.5, 2)
