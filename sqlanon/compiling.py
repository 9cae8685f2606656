"""Compile every kernel ahead: for the image of a container, whose processes could not keep what they compile.

python -m sqlanon.compiling compiles into the cache directory of the environment, and prints what took how long.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .connection import connect
from .errors import InvalidParameter
from .release.algorithms import ALGORITHMS, Publishes
from .release.models import find as find_model
from .udfs.grouping.compiling import four_rows
from .udfs.grouping.partition import load_kernel
from .udfs.grouping.requirements import kernel_arguments
from .udfs.kernels.runtime import cache

VARIABLE = "NUMBA_CACHE_DIR"
"""The environment variable that says where compiled kernels are, for whoever compiles and for whoever runs them."""

COMMAND = (sys.executable, "-m", __name__)
"""The program that compiles, in another process."""

PREPARE = (
    "CREATE TABLE people AS SELECT i // 4 AS a, i % 4 AS b, i % 2 AS s, i // 3 AS who FROM range(24) AS r(i)",
    "CREATE TABLE release AS SELECT '*' AS a, '*' AS b, s FROM people",
    """
    CREATE TABLE dead_ends AS SELECT a, s
    FROM (VALUES (0, [3, 1, 2, 3, 3]), (1, [1, 3, 2, 3, 3]), (2, [4, 4, 4])) AS g(a, counts)
        CROSS JOIN range(1, 6) AS v(s) CROSS JOIN range(4) AS r(i)
    WHERE i < counts[s]
    """,  # of which TP makes groups in its third phase only
    "CREATE TABLE params AS FROM randomize_params('people', l := {'a': 2, 'b': 2})",
)
STATEMENTS = {
    "randomize": "CREATE TABLE lists AS FROM randomize('people', l := {'a': 2, 'b': 2})",
    "reconstruct": "FROM reconstruct('lists', 'params', ['a', 'b'])",
    "bayes": "FROM reconstruct('lists', 'params', ['a', 'b'], method := 'bayes')",
    "entity": "FROM kanonymous('people', ['a', 'b'], 2, entity := 'who')",
    "kl_divergence": "FROM kl_divergence('people', 'release', ['a', 'b'], 's')",
    "count_query_error": "FROM count_query_error('people', 'release', ['a', 'b'], 's', 2, queries := 1)",
    "frontier": "FROM frontier('people', ['a', 'b'], 's', l := [2], algos := ['hilbert'])",
    "estimate": "FROM estimate('lists', 'SELECT count(*) FROM p WHERE a > 1', params := 'params')",
    "quasi_identifiers": "FROM quasi_identifiers('people')",
    "compare_releases": "FROM compare_releases('release', 'release', ['a', 'b'], 's', detail := 'pairs')",
    "anonymize": "FROM anonymize('people', ['a', 'b'], 's', k := 2, entropy_l := 1.5, t := 0.9, beta := 9, delta := 9)",
    "tp_phases": "FROM tp_phases('dead_ends', ['a'], 's', 4)",
    "loss_bound of k": "FROM loss_bound('people', ['a', 'b'], k := 2, effort := 2)",
    "loss_bound of l": "FROM loss_bound('people', ['a', 'b'], 's', l := 2, effort := 2)",
    "full_domain_levels": "FROM full_domain_levels('people', ['a', 'b'], 's', l := 2)",
}
"""Statements that use the kernels beside those of the algorithms."""


def compile_kernels(to: Path | None, report: Callable[[str, float], None]) -> None:
    """Compile what every algorithm and function needs into a directory, or else into the user's cache directory.

    `report` is called with the name of each algorithm or function once it is compiled, and the seconds it took: next to
    none for what was there already. Anybody may read the directory afterwards. A process finds it there if the
    environment variable NUMBA_CACHE_DIR names it. This takes about a minute, in a process of its own: what the process
    at hand has compiled before would be missing. InvalidParameter if the directory cannot be written.
    """
    environment = dict(os.environ)
    environment.pop("NUMBA_DISABLE_JIT", None)
    if to is not None:
        refuse_unwritable(to)
        environment[VARIABLE] = str(to.resolve())
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout or ():
            name, seconds = line.rsplit(maxsplit=1)
            report(name, float(seconds))
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, COMMAND)
    if to is not None:
        let_anybody_read(to / "sqlanon")


def refuse_unwritable(to: Path) -> None:
    """Make the directory, or say why that fails."""
    try:
        cache.replace_file(to / "sqlanon" / "writable", b"")
    except OSError as problem:
        raise InvalidParameter(
            f"compiled kernels cannot be written there: {cache.reason(problem)}.", "Name another directory."
        ) from None


def let_anybody_read(folder: Path) -> None:
    """Whoever builds an image is often not the user that its processes run as."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def compile_here() -> Iterator[tuple[str, float]]:
    """Compile in this process; for each algorithm and function, its name and the seconds that it took."""
    for algorithm in ALGORITHMS:
        started = time.perf_counter()
        data = four_rows(trees=algorithm.publishes is not Publishes.EXTENTS)
        model = find_model(algorithm.model)
        load_kernel(algorithm.kernel)(data, *kernel_arguments(model, model.example))
        yield f"{algorithm.model}, algo {algorithm.name}", time.perf_counter() - started
    con = connect()
    con.execute("SET enable_progress_bar = false")
    for statement in PREPARE:
        con.execute(statement)
    for name, statement in STATEMENTS.items():
        started = time.perf_counter()
        con.execute(statement).fetchall()
        yield name, time.perf_counter() - started
    con.close()


if __name__ == "__main__":
    for name, seconds in compile_here():
        print(f"{name} {seconds:.3f}", flush=True)
