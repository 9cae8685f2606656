"""Run the experiments of Sei et al. (2017), section VI, and write docs/randomize.md with its pictures.

python -m benchmarks.randomize              some minutes
python -m benchmarks.randomize --quick      half a minute: few rows, few settings; into a new folder, which it names
python -m benchmarks.randomize --to folder  elsewhere

The picture needs matplotlib: pip install --editable ".[benchmarks]".
"""

from __future__ import annotations

import logging
import sys

import sqlanon
from benchmarks.paper import read_options

from .page import IMAGES, write
from .picture import draw_picture
from .results import Extent, run

ALL_L = (2, 3, 4, 5, 6, 7, 8, 9, 10)
ALL_T = (0.1, 0.2, 0.3, 0.4, 0.5)
FULL = Extent(
    adult_rows=None,
    census_rows=100_000,
    queries={1: 4, 2: 2, 3: 1, 4: 1},
    l_values={1: ALL_L, 2: ALL_L, 3: ALL_L, 4: ALL_L},
    t_values={1: ALL_T, 2: ALL_T, 3: ALL_T, 4: ALL_T},
    growth_rows=(1_000, 10_000, 100_000, 1_000_000),
    timed_l=(2, 5, 10),
)
QUICK = Extent(
    adult_rows=5_000,
    census_rows=5_000,
    queries={1: 2, 2: 1, 3: 1},
    l_values={1: (2, 3), 2: (2, 3), 3: (3,)},
    t_values={1: (0.1, 0.5), 2: (0.1, 0.5), 3: (0.5,)},
    growth_rows=(1_000, 5_000),
    timed_l=(2,),
    timed_columns=4,
)


def main(arguments: list[str]) -> None:
    """Run everything and write the page."""
    quick, folder = read_options("randomize", arguments)
    import matplotlib  # noqa: F401  # so that it is not missed after minutes

    logging.getLogger("sqlanon").setLevel(logging.ERROR)  # seeds are for tests; this is one
    con = sqlanon.connect()
    report = run(con, QUICK if quick else FULL, "**A quick run.** " if quick else "")
    print(write(report, folder))
    draw_picture(report.picture, folder / IMAGES / "age_occupation.png")


if __name__ == "__main__":
    main(sys.argv[1:])
