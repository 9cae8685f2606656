"""SipHash-2-4 (Aumasson and Bernstein 2012) of two words: numbers that nobody can tell without the key.

A number depends on the key and on what it is for, and on nothing that was drawn before: so it does not matter which
thread draws it. Words wrap around; as plain Python, callers silence numpy's warning of that.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel

WORD = np.uint64(64)
LAST_BLOCK = np.uint64(16 << 56)
"""The end of a message of 16 bytes."""
END_MARK = np.uint64(0xFF)


@kernel
def rotate(word: np.uint64, bits: np.uint64) -> np.uint64:
    """The word with its upper bits moved to its lower end."""
    return (word << bits) | (word >> (WORD - bits))


@kernel
def mix(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, rounds: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The state after some rounds."""
    for _ in range(rounds):
        a = a + b
        b = rotate(b, np.uint64(13)) ^ a
        a = rotate(a, np.uint64(32))
        c = c + d
        d = rotate(d, np.uint64(16)) ^ c
        a = a + d
        d = rotate(d, np.uint64(21)) ^ a
        c = c + b
        b = rotate(b, np.uint64(17)) ^ c
        c = rotate(c, np.uint64(32))
    return a, b, c, d


@kernel
def keyed_hash(low_key: np.uint64, high_key: np.uint64, first: np.uint64, second: np.uint64) -> np.uint64:
    """The hash of a message of two words."""
    a = low_key ^ np.uint64(0x736F6D6570736575)
    b = high_key ^ np.uint64(0x646F72616E646F6D)
    c = low_key ^ np.uint64(0x6C7967656E657261)
    d = high_key ^ np.uint64(0x7465646279746573)
    for block in (first, second, LAST_BLOCK):
        a, b, c, d = mix(a, b, c, d ^ block, 2)
        a = a ^ block
    a, b, c, d = mix(a, b, c ^ END_MARK, d, 4)
    return a ^ b ^ c ^ d
