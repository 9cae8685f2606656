"""Randomized lists (Sei et al. 2017): whole numbers for words, fractions for probabilities, and every list tried."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

WORD = 2**64


def rotate(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) % WORD


def siphash(key: tuple[int, int], message: bytes) -> int:
    """SipHash-2-4 of any message."""
    v = [key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D]
    v += [key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573]
    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        block = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= block
        rounds(v, 2)
        v[0] ^= block
    v[2] ^= 0xFF
    rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def rounds(v: list[int], count: int) -> None:
    for _ in range(count):
        v[0] = (v[0] + v[1]) % WORD
        v[1] = rotate(v[1], 13) ^ v[0]
        v[0] = rotate(v[0], 32)
        v[2] = (v[2] + v[3]) % WORD
        v[3] = rotate(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) % WORD
        v[3] = rotate(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) % WORD
        v[1] = rotate(v[1], 17) ^ v[2]
        v[2] = rotate(v[2], 32)


def word(key: tuple[int, int], row: int, column: int, draw: int) -> int:
    """The draw with a number for one row and column."""
    return siphash(key, row.to_bytes(8, "little") + draw.to_bytes(4, "little") + column.to_bytes(4, "little"))


def halves(key: tuple[int, int], row: int, column: int) -> Iterator[int]:
    """Numbers of 32 bits, without end."""
    for draw in range(1, 2**32):
        yield word(key, row, column, draw) % 2**32
        yield word(key, row, column, draw) // 2**32


def drawn_list(key: tuple[int, int], row: int, column: int, code: int, size: int, eta: int, p: float) -> list[int]:
    """The list of one row and column: positions from 1."""
    stream = halves(key, row, column)
    truthful = (word(key, row, column, 0) >> 11) / 2**53 < p
    pool = [each for each in range(size) if not truthful or each != code]
    wanted = eta - truthful
    chosen: set[int] = set()
    for last in range(len(pool) - wanted, len(pool)):
        number = next(stream) * (last + 1)
        while number % 2**32 < 2**32 % (last + 1):
            number = next(stream) * (last + 1)
        position = number // 2**32
        chosen.add(last if position in chosen else position)
    return sorted([pool[position] + 1 for position in chosen] + [code + 1] * truthful)


def chance_of_list(listed: Sequence[int], code: int, size: int, p: Fraction) -> Fraction:
    """The probability that a row with this code publishes this list."""
    eta = len(listed)
    blind = (1 - p) / math.comb(size, eta)
    return blind + (p / math.comb(size - 1, eta - 1) if code in listed else 0)


def belief_change(counts: Sequence[int], listed: Sequence[int], p: Fraction, ground: str = "equal") -> Fraction:
    """The earth mover's distance from the distribution of the values to what the list lets one believe."""
    rows, size = sum(counts), len(counts)
    prior = [Fraction(count, rows) for count in counts]
    joint = [share * chance_of_list(listed, code, size, p) for code, share in enumerate(prior)]
    moved = [both / sum(joint) - share for both, share in zip(joint, prior, strict=True)]
    if ground == "equal":
        return sum(map(abs, moved), Fraction(0)) / 2
    crossing = (abs(sum(moved[:cut])) for cut in range(1, size))
    return sum(crossing, Fraction(0)) / max(size - 1, 1)


def worst_change(counts: Sequence[int], eta: int, p: Fraction, ground: str = "equal") -> Fraction:
    return max(belief_change(counts, listed, p, ground) for listed in combinations(range(len(counts)), eta))


def expected_l2(size: int, rows: int, eta: int, p: float) -> float:
    """Equation 9."""
    over = (1 - size) * (p**2 * size + eta - (p**2 + size) * eta)
    return math.sqrt(max(0.0, over / (p**2 * size * rows * (size - eta))))


def chosen_parameters(
    counts: Sequence[int], shortest: int, t: Fraction, ground: str = "equal"
) -> tuple[int, float, float]:
    """Algorithm 1: eta, p and the expected L2 distance, by bisection over p for every eta."""
    tried = []
    for eta in range(shortest, len(counts)):
        low, high = Fraction(0), Fraction(1)
        if worst_change(counts, eta, high, ground) <= t:
            low = high
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if worst_change(counts, eta, middle, ground) <= t else (low, middle)
        tried.append((expected_l2(len(counts), sum(counts), eta, float(low)), eta, float(low)))
    l2, eta, p = min(tried)
    return eta, p, l2


Matrix = list[list[float]]


def dense_chances(attributes: Sequence[tuple[int, int, float]]) -> Matrix:
    """Equation 19 for all pairs of cells; attributes are (size, eta, p)."""
    cells = list(product(*(range(size) for size, _, _ in attributes)))
    return [[math.prod(map(held, attributes, one, other)) for other in cells] for one in cells]


def held(attribute: tuple[int, int, float], code: int, other: int) -> float:
    """The probability that the list of a row with one code holds the other."""
    size, eta, p = attribute
    blind = (1 - p) * eta / size
    return p + blind if code == other else p * (eta - 1) / (size - 1) + blind


def observed_counts(attributes: Sequence[tuple[int, int, float]], rows: Sequence[Sequence[Sequence[int]]]) -> list[int]:
    """For each cell, the rows whose lists hold all its values."""
    cells = product(*(range(size) for size, _, _ in attributes))
    return [sum(all(c in one for c, one in zip(cell, row, strict=True)) for row in rows) for cell in cells]


def bayes_step(counts: Sequence[float], observed: Sequence[float], chances: Matrix, members: int) -> list[float]:
    """Equation 26, once, and divided as in equation 27."""
    cells = range(len(counts))
    expected = [sum(chances[c][b] * counts[c] for c in cells) for b in cells]
    return [
        sum(observed[b] * chances[a][b] * counts[a] / expected[b] for b in cells if observed[b]) / members
        for a in cells
    ]


def value_adding(observed: Sequence[int], attributes: Sequence[tuple[int, int, float]], rows: int) -> list[float]:
    """Equation 18."""
    true = math.prod(p + (1 - p) * eta / size for size, eta, p in attributes)
    members, cells = math.prod(eta for _, eta, _ in attributes), len(observed)
    return [w * true / members + (rows - w) * (1 - true) / (cells - members) for w in observed]


def chance_of_lists(attributes: Sequence[tuple[int, int, float]], row: Sequence[Sequence[int]]) -> list[Fraction]:
    """For each cell, the probability that a row with its values publishes these lists."""
    cells = product(*(range(size) for size, _, _ in attributes))
    by_code = [
        [chance_of_list(one, code, size, Fraction(p)) for code in range(size)]
        for one, (size, _, p) in zip(row, attributes, strict=True)
    ]
    return [
        math.prod((each[code] for each, code in zip(by_code, cell, strict=True)), start=Fraction(1)) for cell in cells
    ]


def whole_lists_step(
    attributes: Sequence[tuple[int, int, float]], rows: Sequence[Sequence[Sequence[int]]], shares: Sequence[Fraction]
) -> list[Fraction]:
    """One step of EM: each row is dealt to the cells, in proportion to how likely they make it."""
    counts = [Fraction(0)] * len(shares)
    for row in rows:
        joint = [share * chance for share, chance in zip(shares, chance_of_lists(attributes, row), strict=True)]
        counts = [count + part / sum(joint) for count, part in zip(counts, joint, strict=True)]
    return counts


def whole_lists_likelihood(
    attributes: Sequence[tuple[int, int, float]], rows: Sequence[Sequence[Sequence[int]]], shares: Sequence[float]
) -> float:
    """The logarithm of how likely the lists of all rows are."""
    chances = (map(float, chance_of_lists(attributes, row)) for row in rows)
    return sum(math.log(sum(map(math.prod, zip(shares, each, strict=True)))) for each in chances)


def class_diversity(rows: Sequence[Sequence[Sequence[int]]], position: int) -> tuple[float, float, int]:
    """The least frequency l, entropy l and size of the classes of one attribute, in the expanded release."""
    classes: dict[tuple[int, ...], Counter[int]] = {}
    for row in rows:
        for record in product(*row):
            others = record[:position] + record[position + 1 :]
            classes.setdefault(others, Counter())[record[position]] += 1
    sizes = [each.total() for each in classes.values()]
    tops = [max(each.values()) for each in classes.values()]
    entropies = [
        -sum(n / size * math.log(n / size) for n in each.values())
        for each, size in zip(classes.values(), sizes, strict=True)
    ]
    return min(size / top for size, top in zip(sizes, tops, strict=True)), math.exp(min(entropies)), min(sizes)


def added_by(
    attributes: Sequence[tuple[int, int, float]], row: Sequence[Sequence[int]], cell: Sequence[int]
) -> Fraction:
    """The part of a row in the unbiased count of a cell: 1 on average if it is the row's cell, else 0."""
    product = Fraction(1)
    for (size, eta, p), listed, code in zip(attributes, row, cell, strict=True):
        sure = Fraction(p)
        blind = (1 - sure) * Fraction(eta, size)
        same, other = sure + blind, sure * Fraction(eta - 1, size - 1) + blind
        product *= ((code in listed) - other) / (same - other)
    return product


def unbiased_count(
    attributes: Sequence[tuple[int, int, float]],
    rows: Sequence[Sequence[Sequence[int]]],
    cells: Sequence[Sequence[int]],
) -> tuple[Fraction, Fraction]:
    """The unbiased count of the rows in any of the cells, and its unbiased variance."""
    adds = [sum((added_by(attributes, row, cell) for cell in cells), Fraction(0)) for row in rows]
    return sum(adds, Fraction(0)), sum((each * each - each for each in adds), Fraction(0))


def plain_list(stream: random.Random, code: int, size: int, eta: int, p: float) -> list[int]:
    """A list from Python's own generator: codes."""
    if stream.random() >= p:
        return sorted(stream.sample(range(size), eta))
    return sorted([code, *stream.sample([each for each in range(size) if each != code], eta - 1)])
