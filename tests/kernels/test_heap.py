"""The heap."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.heap import pop, push
from twins import naive

from .tables import quickly


@quickly
@given(st.lists(st.one_of(st.none(), st.integers(-5, 5), st.integers(-(2**62), 2**62)), max_size=30))
def test_the_smallest_item_is_always_first(steps: list[int | None]) -> None:
    heap, size, twin = np.zeros(len(steps), np.int64), 0, naive.Heap()
    for item in steps:  # None: take one out
        if item is not None:
            size = push(heap, size, item)
            twin.push(item)
        elif size > 0:
            assert heap[0] == twin.pop()
            size = pop(heap, size)
        assert size == len(twin.items)
        assert heap[:size].min(initial=2**62) == (heap[0] if size else 2**62)
        assert sorted(heap[:size].tolist()) == twin.items
