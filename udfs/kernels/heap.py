"""A binary heap of integers in an array: the smallest first."""

from __future__ import annotations

from .runtime.jit import kernel
from .space import Wide


@kernel
def push(heap: Wide, size: int, item: int) -> int:
    """Add item to the heap of `size` items; return the new size. Assumes there is room."""
    i = size
    while i > 0:
        parent = (i - 1) // 2
        if heap[parent] <= item:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = item
    return size + 1


@kernel
def pop(heap: Wide, size: int) -> int:
    """Remove heap[0]; return the new size. Assumes size > 0."""
    size -= 1
    item = heap[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= item:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = item
    return size
