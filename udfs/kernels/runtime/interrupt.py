"""How kernels are stopped: those that may take long look at a flag between two pieces of work."""

from __future__ import annotations

import numpy as np

from ..space import Flag

STOP: Flag = np.zeros(1, np.uint8)
"""The flag of such kernels: 1 once the user has pressed Ctrl-C. They return at once, their arrays half filled."""


def raise_if_interrupted() -> None:
    """Leave if kernels were stopped. To be called after each that looks at the flag: what it filled is of no use."""
    if STOP[0]:
        raise KeyboardInterrupt
