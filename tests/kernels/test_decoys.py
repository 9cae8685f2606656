"""Decoys against the twin, number by number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.decoys import decoys
from sqlanon.udfs.kernels.randomize.siphash import keyed_hash
from sqlanon.udfs.randomizing.drawing import Drawing, refuse_broken_lists
from sqlanon.udfs.shuffle_keys import shuffle_keys
from thorough import examples
from twins import randomize as twin

words = st.integers(0, 2**64 - 1)


def test_the_twin_is_siphash_by_the_examples_of_its_authors() -> None:
    key = int.from_bytes(bytes(range(8)), "little"), int.from_bytes(bytes(range(8, 16)), "little")
    assert twin.siphash(key, bytes(range(15))) == 0xA129CA6149BE45E5
    assert twin.siphash(key, b"") == 0x726FDB47DD0E0E31


@given(words, words, words, words)
def test_the_hash_of_two_words_is_that_of_the_twin(low: int, high: int, first: int, second: int) -> None:
    message = first.to_bytes(8, "little") + second.to_bytes(8, "little")
    with np.errstate(over="ignore"):
        assert int(keyed_hash(*map(np.uint64, (low, high, first, second)))) == twin.siphash((low, high), message)


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[int, int], list[tuple[int, int, float]], list[list[int]]]:
    """A key; the size, eta and p of columns; rows of codes."""
    columns = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 40))
        columns.append((size, draw(st.integers(1, size)), draw(st.sampled_from([1.0, 0.5, 0.01]))))
    row = st.tuples(*(st.integers(0, size - 1) for size, _, _ in columns))
    rows = draw(st.lists(row, min_size=1, max_size=5))
    return (draw(words), draw(words)), columns, [list(each) for each in rows]


@settings(max_examples=examples(50))
@given(tables(), st.integers(0, 2**62))
def test_every_list_is_that_of_the_twin(
    table: tuple[tuple[int, int], list[tuple[int, int, float]], list[list[int]]], first: int
) -> None:
    key, columns, rows = table
    sizes, etas, chances = (np.array(each) for each in zip(*columns, strict=True))
    numbers = np.arange(first, first + len(rows))
    drawing = Drawing(
        np.array(key, np.uint64), sizes.astype(np.int64), etas.astype(np.int64), chances.astype(np.float64)
    )
    codes = np.array(rows, np.int32)
    drawn = decoys(drawing, numbers, codes)
    refuse_broken_lists(drawing, codes, drawn)
    for line, number, codes in zip(drawn.tolist(), numbers.tolist(), rows, strict=True):
        expected: list[int] = []
        for column, (code, (size, eta, p)) in enumerate(zip(codes, columns, strict=True)):
            expected += twin.drawn_list(key, number, column, code, size, eta, p)
        assert line == expected


def draw(rows: int, key: int = 5) -> list[list[int]]:
    """Rows that all hold code 2 of 9, in lists of 4."""
    drawing = Drawing(np.array([key, 1], np.uint64), np.array([9]), np.array([4]), np.array([1.0]))
    return decoys(drawing, np.arange(rows), np.full((rows, 1), 2, np.int32)).tolist()


def test_a_row_has_its_list_whichever_rows_are_drawn_with_it() -> None:
    assert draw(20)[:7] == draw(7)
    assert draw(20, key=6) != draw(20)


def test_a_row_has_its_shuffle_key_whichever_rows_are_shuffled_with_it() -> None:
    key = np.array([5, 1], np.uint64)
    message = (3).to_bytes(8, "little") + bytes([255]) * 8
    assert shuffle_keys(key, np.arange(20))[:7].tolist() == shuffle_keys(key, np.arange(7)).tolist()
    assert shuffle_keys(key, np.array([3])).tolist() == [twin.siphash((5, 1), message)]


@pytest.mark.parametrize("size", [2, 24, 25, 60])
def test_a_list_of_the_whole_domain_is_the_whole_domain(size: int) -> None:
    drawing = Drawing(np.array([3, 1], np.uint64), np.array([size]), np.array([size]), np.array([0.5]))
    drawn = decoys(drawing, np.arange(4), np.zeros((4, 1), np.int32))
    assert drawn.tolist() == [list(range(1, size + 1))] * 4
