"""Seconds and memory of what runs in this process."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import duckdb

WARM_RUNS = 3


@dataclass
class Stopwatch:
    """The seconds of a `with` block, by the clock on the wall or by another one."""

    clock: Callable[[], float] = time.perf_counter
    started: float = 0.0
    seconds: float = 0.0

    def __enter__(self) -> Self:
        self.started = self.clock()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = self.clock() - self.started


def processor_time() -> Stopwatch:
    """A stopwatch for CPU seconds, as others may use the machine."""
    return Stopwatch(time.process_time)


def measure_run(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and the largest resident memory in GB while it ran."""
    peak, done = [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e9)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    with Stopwatch() as watch_of_run:
        run()
    done.set()
    watcher.join()
    return watch_of_run.seconds, peak[0]


def warm_seconds(con: duckdb.DuckDBPyConnection, call: str) -> float:
    """Seconds of the fastest run that makes the table `release`, after one that compiles."""
    seconds = []
    for _ in range(WARM_RUNS + 1):
        with Stopwatch() as run:
            con.execute(f"CREATE OR REPLACE TABLE release AS FROM {call}")
        seconds.append(run.seconds)
    return min(seconds[1:])


def print_line(*cells: object) -> None:
    """Print a measurement as a line of JSON."""
    print(json.dumps(cells), flush=True)
