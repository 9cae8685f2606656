"""_sqlanon_estimate: a query on the source, answered from the classes of a release.

DuckDB groups the rows by what they publish; classes and the values shown elsewhere come in as one list each. As plain
SQL (which sqlanon.rewrite still writes for other engines) the rest took some thirty steps, and to plan them longer than
to read a million rows: 18 to 57 ms in all, where this takes 8 to 28.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, cast

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard

from .arrow.arguments import ROWS, field_of, listed_rows, malformed, struct_of, whole_numbers
from .arrow.codec import integers
from .estimation.answers import answers
from .estimation.cells import distinct_cells, printed, take_apart
from .estimation.odds import Judged, Odds
from .estimation.parts import Parts, read_parts
from .estimation.question import Column, Question, read_question
from .estimation.types import compared_as
from .estimation.values import read_values
from .kernels.space import Wide

NAME = "_sqlanon_estimate"
RETURNS = "STRUCT(keys VARCHAR[], estimate DOUBLE, lower DOUBLE, upper DOUBLE)[]"


def call(
    question: pa.ChunkedArray,
    classes: pa.ChunkedArray,
    shown: pa.ChunkedArray,
    taxonomies: pa.ChunkedArray,
    instants: pa.ChunkedArray,
) -> pa.Array:
    """What DuckDB calls: a question, and the release as lists in, the list of answers out."""
    with Guard("estimating"):
        found = [
            estimate(
                question_of(asked),
                listed_rows("classes", rows),
                dict(shown_cells(others).items()),
                struct_of("taxonomies", trees) if trees.is_valid else {},
                struct_of("instants", moments) if moments.is_valid else {},
            )
            for asked, rows, others, trees, moments in zip(question, classes, shown, taxonomies, instants, strict=True)
        ]
    ends = accumulate(map(len, found), initial=0)
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.concat_arrays(found))


def question_of(asked: pa.Scalar) -> Question:
    """The question that the planner wrote."""
    try:
        return read_question(asked.as_py())
    except (TypeError, ValueError, KeyError, AttributeError) as error:  # whatever a text may say
        raise malformed("question", "not one of the planner's") from error


def shown_cells(shown: pa.Scalar) -> Mapping[str, Any]:
    """What else the columns show, {name: a list}, if anything."""
    if not shown.is_valid:
        return {}
    if not isinstance(shown, pa.StructScalar):
        raise malformed("shown", "not a struct")
    return cast(Mapping[str, Any], shown)


@np.errstate(divide="ignore", over="ignore", invalid="ignore")
def estimate(
    question: Question,
    classes: pa.StructArray | None,
    shown: Mapping[str, Any],
    taxonomies: Mapping[str, Sequence[Sequence[str]]],
    instants: Mapping[str, Sequence[int | None]],
) -> pa.StructArray:
    """Return the answers, one per group. Infinities are values like others; what comes out infinite is not known.

    `classes` has distinct combinations of cells (c_1, c_2 …, as cells.py describes them) with their number of rows, n;
    `shown` has cells of rows that are in no class, `taxonomies` paths, and `instants` the constants of columns that may
    be of moments, in microseconds since 1970.
    """
    rows = np.zeros(0) if classes is None else integers(whole_numbers("classes", classes, "n", ROWS)).astype(np.float64)
    columns = {}
    values = {}
    for i, column in enumerate(question.columns):
        if column.constants or column.choices or column.grouped:  # else nothing hangs on it
            own = f"c_{i + 1}"
            cells = pa.nulls(0, pa.string()) if classes is None else field_of("classes", classes, own)
            cell_of, parts, type_name = read_column(column, cells, shown.get(own), taxonomies.get(own))
            column, parts = compared_as(column, parts, type_name, instants.get(own) or ())
            columns[i] = Judged(parts, cell_of, column.choices)
            if i in question.groups:
                values[i] = read_values(column, parts)
    return answers(question, Odds(columns, rows.size, question.measured), rows, values)


def read_column(
    column: Column, cells: pa.Array, shown: Any, paths: Sequence[Sequence[str]] | None
) -> tuple[Wide, Parts, str]:
    """Read one column: its cells by class, what they are made of, and the name of their type."""
    size = len(cells)
    if shown is not None and shown.values is not None:
        cells = pa.concat_arrays([cells, shown.values])
    cells, type_name = printed(cells)
    cell_of, distinct = distinct_cells(cells)
    leaves = None if paths is None else [path[0] for path in paths]
    parts = read_parts(column, take_apart(distinct, type_name, column, paths), type_name, leaves)
    return cell_of[:size], parts, type_name
