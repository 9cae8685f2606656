"""_sqlanon_count_queries: count queries, drawn or the user's, answered on the source and estimated from the release.

Source and release come in as one row, in codes of the source's domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import flag, whole
from sqlanon.errors import Guard, InvalidParameter, ReleaseMismatch

from .arrow import codec
from .arrow.arguments import (
    ROWS,
    described_columns,
    list_of,
    listed_rows,
    listed_structs,
    malformed_call,
    struct_of,
    whole_numbers,
)
from .kernels.measure import count_queries as kernels
from .kernels.runtime.interrupt import raise_if_interrupted
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints, Wide
from .measuring.published import Published, read_published
from .measuring.workload import Attribute, Query, draw_query

KIND = pa.list_(
    pa.struct(
        [
            ("query_id", pa.int64()),
            ("predicate", pa.string()),
            ("actual", pa.int64()),
            ("estimate", pa.float64()),
            ("dims", pa.int32()),
        ]
    )
)
TRIES = 32
"""How often a query is drawn before that ends: the rows may not be there."""


@dataclass(frozen=True)
class Source:
    """Distinct rows in codes, shape (columns, rows), sensitive attribute last, and how many there are of each."""

    codes: Ints
    weights: Wide
    first: Wide


def call(
    request: pa.ChunkedArray,
    rows: pa.ChunkedArray,
    columns: pa.ChunkedArray,
    classes: pa.ChunkedArray,
    cells: pa.ChunkedArray,
    predicates: pa.ChunkedArray,
) -> pa.Array:
    """Called by DuckDB: what is asked, the source, its columns, the release and the user's queries in, answers out."""
    with Guard("counting"), INTERRUPT_WATCHER:
        answered = [
            answers(
                struct_of("workload", workload),
                listed_rows("rows", source),
                described_columns(described, "labels", "tree"),
                listed_rows("classes", published),
                read_lists("cells", covered),
                listed_structs("predicates", conditions),
            )
            for workload, source, described, published, covered, conditions in zip(
                request, rows, columns, classes, cells, predicates, strict=True
            )
        ]
    return pa.array(answered, KIND)


def answers(
    request: Mapping[str, Any],
    rows: pa.StructArray | None,
    columns: Mapping[str, Any],
    classes: pa.StructArray | None,
    cells: Mapping[str, pa.StructArray | None],
    predicates: Sequence[Mapping[str, Any]] | None,
) -> list[dict[str, Any]]:
    """Answer each query on source and release; `request` has dims (a list), queries, selectivity, seed, by_user."""
    codec.refuse_types(columns.values())
    if not columns:
        raise malformed_call("columns", "there are none")
    source = read_source_arrays(rows, columns)
    attributes = [read_attribute(columns[key], source.codes[number]) for number, key in enumerate(columns)]
    release = read_published(classes, cells, {key: len(list_of(columns[key], "labels")) for key in columns})
    if release.held_rows.sum() > source.weights.sum():
        raise ReleaseMismatch("rel has more rows than src.", "Is it the source of this release?")
    if flag("by_user", request.get("by_user")):
        workload: Iterable[tuple[int, int, Query]] = user_queries(attributes, predicates or [], source)
    else:
        workload = drawn_queries(attributes, read_draw(request), source)
    return [
        {
            "query_id": query_id,
            "predicate": query.predicate,
            "actual": actual,
            "estimate": estimate(release, query, source.first),
            "dims": len(query.wanted),
        }
        for query_id, actual, query in workload
    ]


def read_lists(argument: str, lists: pa.Scalar) -> dict[str, pa.StructArray | None]:
    """A struct of lists of structs, as a dict."""
    if not isinstance(lists, pa.StructScalar) or not lists.is_valid:
        raise malformed_call(argument, "not a struct")
    return {key: listed_rows(argument, listed) for key, listed in lists.items()}


def read_draw(request: Mapping[str, Any]) -> dict[str, Any]:
    """How many queries to draw, and of which kind."""
    dims, selectivity = request.get("dims"), request.get("selectivity")
    if not isinstance(dims, list) or not isinstance(selectivity, float) or not 0 < selectivity <= 1:
        raise malformed_call("request", "dims is not a list, or selectivity no share")
    return {
        "dims": [whole("dims", each, 1) for each in dims],
        "queries": whole("queries", request.get("queries"), 0),
        "selectivity": selectivity,
        "seed": whole("seed", request.get("seed"), 0),
    }


def drawn_queries(
    attributes: Sequence[Attribute], request: Mapping[str, Any], source: Source, sensitive: bool = True
) -> Iterator[tuple[int, int, Query]]:
    """Draw queries that some row satisfies, each from a stream of its own: asking for more of them changes none."""
    query_id = 0
    for dims in request["dims"] if source.weights.size else ():
        for number in range(request["queries"]):
            stream = np.random.Generator(np.random.PCG64([request["seed"], dims, number]))
            for _ in range(TRIES):
                query = draw_query(attributes, dims, request["selectivity"], stream, sensitive)
                if actual := count(source, query):
                    query_id += 1
                    yield query_id, actual, query
                    break


def user_queries(
    attributes: Sequence[Attribute], predicates: Sequence[Mapping[str, Any]], source: Source
) -> Iterator[tuple[int, int, Query]]:
    """The user's own queries, under their own numbers or in the order they came in."""
    from .measuring.predicates import Reader  # here, because it brings sqlglot

    named = any(row["named"] for row in predicates)
    with Reader(attributes) as reader:
        for number, row in enumerate(predicates, 1):
            if named and row["query_id"] is None:
                raise InvalidParameter("predicates: query_id is not a whole number in every row.")
            query_id = row["query_id"] if named else number
            if row["predicate"] is None:
                raise InvalidParameter(f"predicates: query {query_id} is NULL.", "Give a condition as text.")
            query = reader.read(row["predicate"], query_id)
            yield query_id, count(source, query), query


def count(source: Source, query: Query) -> int:
    """Rows of the source that satisfy a query."""
    raise_if_interrupted()
    wanted = np.zeros(int(source.first[-1]), np.uint8)
    for number, flags in query.wanted.items():
        wanted[source.first[number] : source.first[number + 1]] = flags
    columns = np.array(list(query.wanted), np.int64)
    return int(kernels.count_rows(source.codes, source.weights, columns, wanted, source.first))


def estimate(release: Published, query: Query, first: Wide) -> float:
    """Rows that the release lets expect."""
    sensitive = first.size - 2
    wanted = np.zeros(int(first[-1]), np.uint8)
    for number, flags in query.wanted.items():
        wanted[first[number] : first[number + 1]] = flags
    columns = np.array(list(query.wanted), np.int64)
    share = np.zeros(release.cell_count)
    if sensitive not in query.wanted:
        share[release.held_cell] = 1.0
    kernels.fill_shares(
        columns, wanted, first, release.first, release.cell, release.low, release.high, release.weight, share
    )
    held = (release.held_from, release.held_cell, release.held_rows)
    return float(kernels.estimate_rows(release.cell_of, columns[columns != sensitive], share, *held))


def read_source_arrays(rows: pa.StructArray | None, columns: Mapping[str, Any]) -> Source:
    """The source in arrays."""
    sizes = {key: len(list_of(columns[key], "labels")) for key in columns}
    first = np.concatenate([[0], np.cumsum(list(sizes.values()))]).astype(np.int64)
    if rows is None:
        return Source(np.empty((len(columns), 0), np.int32), np.empty(0, np.int64), first)
    return Source(codec.row_codes(rows, sizes), codec.integers(whole_numbers("rows", rows, "n", ROWS)), first)


def read_attribute(described: Mapping[str, Any], codes: Ints) -> Attribute:
    """A column of the source: its name, its type, its domain."""
    tree = described["tree"].as_py()
    return Attribute(
        name=described["column"].as_py(),
        type_name=described["type"].as_py(),
        measured=described["kind"].as_py() == "range" and not tree,
        tree=tree,
        labels=described["labels"].as_py() or [],
        occurring=np.unique(codes).astype(np.int64),
    )
