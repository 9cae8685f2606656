"""The pages that compare a paper with this program: statements of the paper, verdicts, and how they are run."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

R = TypeVar("R")
DOCS = Path(__file__).parents[1] / "docs"


@dataclass(frozen=True)
class Finding:
    """Whether a statement holds, and what was measured."""

    holds: bool
    reason: str


@dataclass(frozen=True)
class Statement(Generic[R]):
    """A statement of the paper, the figure or section that has it, and its check.

    The check returns None where the results have nothing to say about it.
    """

    passage: str
    words: str
    check: Callable[[R], Finding | None]

    def __str__(self) -> str:
        """The statement with its passage."""
        return f"{self.words} ({self.passage})"


def count_confirmed(verdicts: Sequence[bool]) -> str:
    """The sentence above the verdicts."""
    return f"{sum(verdicts)} of {len(verdicts)} are confirmed."


def read_options(benchmark: str, arguments: Sequence[str]) -> tuple[bool, Path]:
    """Whether the run is quick, and the folder to write into: docs/, or a new one for a quick run."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{benchmark}")
    parser.add_argument("--quick", action="store_true", help="few rows, few settings")
    parser.add_argument("--to", type=Path, help="the folder to write into")
    options = parser.parse_args(arguments)
    quick: bool = options.quick
    return quick, options.to or (Path(tempfile.mkdtemp(prefix=f"{benchmark}-")) if quick else DOCS)
