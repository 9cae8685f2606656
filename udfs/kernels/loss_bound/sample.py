"""The mean of all from a sample: a limit below which it lies with a chance of at most 5 %, whatever the numbers.

A gambler bets on the sample, number by number, that the mean is above some m: the capital is multiplied by
1 + λ (x − m), where λ depends on the numbers before alone. If the mean is m or less, the capital does not grow on
average, and it reaches 20 times what it was with a chance of at most 1/20 (Ville). So every m that makes the gambler
that rich can be ruled out (Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86(1), 2024).
"""

from __future__ import annotations

import numpy as np

from ..space import Floats, Wide

RISK = 0.05
STEPS = 40
"""Of bisecting: far closer than the sample is to the mean."""

BOLDNESS = 0.5
"""The share of the capital that one number can cost at most."""

FIRST_VARIANCE = 0.01
"""The variance before there is a number."""


def draw_rows(weight: Wide, count: int, seed: int) -> Wide:
    """Return the items of so many rows, drawn with replacement."""
    rows = np.random.default_rng(seed).integers(0, weight.sum(), count)
    return np.searchsorted(np.cumsum(weight), rows, side="right").astype(np.int64)


def limit_of_mean(numbers: Floats) -> float:
    """Return the limit, from numbers between 0 and 1 in the order in which they were drawn."""
    bets = choose_bets(numbers)
    low, high = 0.0, float(numbers.mean())
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if grows_rich(numbers, bets, middle) else (low, middle)
    return low


def choose_bets(numbers: Floats) -> Floats:
    """Return λ for each number, from those before it: the higher, the less they vary."""
    count = np.arange(1, numbers.size + 1)
    means = np.cumsum(numbers) / (count + 1)
    variance = np.empty(numbers.size)
    variance[0] = FIRST_VARIANCE
    variance[1:] = ((FIRST_VARIANCE + np.cumsum((numbers - means) ** 2)) / (count + 1))[:-1]
    bets: Floats = np.sqrt(2 * np.log(1 / RISK) / (numbers.size * variance))
    return bets


def grows_rich(numbers: Floats, bets: Floats, mean: float) -> bool:
    """Whether betting that the mean is above this one multiplies the capital by 1 / RISK at any time."""
    if mean == 0.0:
        return bool(numbers.any())
    capital = np.cumsum(np.log1p(np.minimum(bets, BOLDNESS / mean) * (numbers - mean)))
    return bool(capital.max() >= np.log(1 / RISK))
