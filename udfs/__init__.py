"""Everything in Python that a statement runs, as Arrow functions: one per file, listed in ALL.

Each file has two functions: `call`, which DuckDB calls, and one that tests call. It is imported when DuckDB first calls
it: a statement without algorithms never waits for what they bring, numba and pyarrow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any

from sqlanon.errors import RAISING, OutOfMemory, SqlanonError, is_short_of_memory


@dataclass(frozen=True)
class ArrowFunction:
    """`file` is the module here that has `call`, with so many parameters; `returns` is the type of its answers."""

    file: str
    parameters: int
    returns: str

    @property
    def name(self) -> str:
        """The name that statements call it by."""
        return f"_sqlanon_{self.file}"

    @property
    def return_type(self) -> str:
        """The type in DuckDB of what it returns: answers, or answers beside an error, which SQL raises."""
        return self.returns if self.name in RAISING else f"STRUCT(answer {self.returns}, problem VARCHAR)"

    @cached_property
    def call(self) -> Callable[..., Any]:
        """Called by DuckDB: always the same object, as DuckDB does not keep it alive.

        It has a signature, as DuckDB counts parameters by it.
        """
        call = call_module if self.name in RAISING else answer_or_problem

        def run(*columns: Any) -> Any:
            return call(f"{__name__}.{self.file}", columns)

        names = (Parameter(f"column_{i}", Parameter.POSITIONAL_ONLY) for i in range(self.parameters))
        run.__signature__ = Signature(list(names))  # type: ignore[attr-defined]
        return run


def call_module(module: str, columns: tuple[Any, ...]) -> Any:
    """Call the function of a module; the first time, Ctrl-C is heeded from before the import to the end of the call."""
    if module in sys.modules:
        return import_module(module).call(*columns)
    try:
        from .kernels.runtime.signals import INTERRUPT_WATCHER

        with INTERRUPT_WATCHER:
            return import_module(module).call(*columns)
    except (OSError, ImportError) as error:
        if is_short_of_memory(error):
            raise OutOfMemory from error
        raise


def answer_or_problem(module: str, columns: tuple[Any, ...]) -> Any:
    """Call the function of a module; our errors are text beside its answers, and _sqlanon_answer(…) raises them."""
    import pyarrow as pa  # here, because importing this package is to be light

    problem = None
    try:
        answers = call_module(module, columns)
    except SqlanonError as error:
        answers, problem = pa.nulls(len(columns[0])), str(error)
    problems = pa.array([problem] * len(answers), pa.string())
    return pa.StructArray.from_arrays([answers, problems], names=["answer", "problem"])


ALL = (
    ArrowFunction("columns", 3, "BOOLEAN"),
    ArrowFunction("groups", 3, "STRUCT(groups INTEGER[], levels UTINYINT[][])"),
    ArrowFunction(
        "tp_phases",
        3,
        "STRUCT(phase INTEGER, groups BIGINT, residue_rows BIGINT, residue_top_count BIGINT, "
        "least_residue_rows BIGINT)",
    ),
    ArrowFunction("full_domain_levels", 3, "STRUCT(levels UTINYINT[], gcp DOUBLE, suppressed_rows BIGINT)[]"),
    ArrowFunction(
        "quasi_identifiers",
        4,
        "STRUCT(columns VARCHAR[], distinction DOUBLE, separation DOUBLE, unique_rows BIGINT, unique_share DOUBLE)[]",
    ),
    ArrowFunction(
        "narrowing",
        5,
        "STRUCT(summary STRUCT(candidates BIGINT, pairs BIGINT, rows BIGINT, certain_rows BIGINT)[], "
        "pairs STRUCT(old_class BIGINT, new_class BIGINT)[])",
    ),
    ArrowFunction("density", 2, "DOUBLE[]"),
    ArrowFunction("strongest", 3, "STRUCT(strongest INTEGER, gcp DOUBLE, largest BIGINT, tried INTEGER)"),
    ArrowFunction(
        "frontier",
        3,
        "STRUCT(algo VARCHAR, parameter INTEGER, gcp DOUBLE, avg_class_size DOUBLE, kl DOUBLE, median_error DOUBLE, "
        "seconds DOUBLE)",
    ),
    ArrowFunction("loss_bound", 3, 'STRUCT(bound DOUBLE, method VARCHAR, "rows" BIGINT)'),
    ArrowFunction(
        "count_queries",
        6,
        "STRUCT(query_id BIGINT, predicate VARCHAR, actual BIGINT, estimate DOUBLE, dims INTEGER)[]",
    ),
    ArrowFunction("exact_share", 4, "DOUBLE"),
    ArrowFunction(
        "randomization",
        2,
        "STRUCT(key BIGINT[], sizes INTEGER[], etas INTEGER[], p DOUBLE[], expected_l2 DOUBLE[], grounds VARCHAR[])",
    ),
    ArrowFunction("shuffle_keys", 2, "UBIGINT"),
    ArrowFunction("decoys", 3, "INTEGER[][]"),
    ArrowFunction("ordered_change", 3, "DOUBLE"),
    ArrowFunction(
        "reconstruction",
        3,
        'STRUCT(domains VARCHAR[][], counts DOUBLE[], "rows" BIGINT, steps INTEGER, change DOUBLE, converged BOOLEAN)',
    ),
    ArrowFunction("distribution_distance", 2, "STRUCT(l1 DOUBLE, l2 DOUBLE, hellinger DOUBLE)"),
    ArrowFunction(
        "randomization_privacy",
        4,
        "STRUCT(attribute VARCHAR, domain_size INTEGER, eta INTEGER, p DOUBLE, l INTEGER, t DOUBLE, "
        "frequency_l DOUBLE, entropy_l DOUBLE, k BIGINT, ground VARCHAR)[]",
    ),
    ArrowFunction("randomized_counts", 3, "STRUCT(keys VARCHAR[], estimate DOUBLE, lower BIGINT, upper BIGINT)[]"),
    ArrowFunction(
        "census",
        3,
        "STRUCT(age INTEGER, gender VARCHAR, education INTEGER, marital VARCHAR, race VARCHAR, workclass VARCHAR, "
        "country VARCHAR, occupation VARCHAR, salary INTEGER)[]",
    ),
    ArrowFunction("wide_census", 3, f"STRUCT({', '.join(f'c{number:02} UTINYINT' for number in range(1, 69))})[]"),
)
