"""From what DuckDB hands over to a table that algorithms can group, or the reason why it cannot be grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.errors import NotEligible, TooFewRows

from . import codec
from .arguments import described_columns, listed_rows, malformed, struct_of
from .kernels.space import Microdata, Wide


def each_call(
    asked: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray
) -> Iterator[tuple[pa.StructArray | None, Mapping[str, Any], Any]]:
    """What DuckDB hands over, call by call: the rows of a table in codes, what they mean, and what is asked of them."""
    for request, table, described in zip(asked, rows, columns, strict=True):
        yield listed_rows("rows", table), described_columns(described), struct_of("request", request)


def read_microdata(
    rows: pa.StructArray | None, columns: Mapping[str, Any], parameter: str, least: int, wildcards: bool = True
) -> Microdata:
    """Read rows in codes; refuse types that cannot be grouped, too few rows, and sensitive values too frequent.

    `columns` describes each quasi-identifier (qi_1 …) and, for l-diversity, the sensitive attributes (sa_1 …).
    """
    qi = [name for name in columns if name.startswith("qi_")]
    sa = [name for name in columns if name.startswith("sa_")]
    if not qi or bool(sa) != (parameter == "l"):
        raise malformed("columns", "there are none, or none that l is about")
    codec.refuse_types(columns.values())
    found = 0 if rows is None else len(rows)
    if rows is None or found < least:
        raise TooFewRows(found, parameter, least)
    fields = [field.name for field in rows.type]
    sensitive = codec.row_codes(rows, dict.fromkeys(sa, found)) if sa else np.zeros((1, found), np.int32)
    for values in sensitive if sa else ():  # k-anonymity: all alike
        refuse_frequent(np.bincount(values), least)
    person = codec.row_codes(rows, {name: found for name in fields if name == "individual"})
    kept = codec.row_codes(rows, {name: found for name in fields if name.startswith("keep_")})
    axes = {name: codec.read_axis(columns[name]) for name in qi}
    sizes = {name: axis.coordinate.size for name, axis in axes.items()}
    return Microdata(
        codes=codec.row_codes(rows, sizes, wildcards),
        sensitive=sensitive[0],
        apart=np.concatenate([sensitive[1:], person]),
        # a wildcard has the code of a value, but publishes nothing: it is not the same row
        ties=np.concatenate([codec.wildcard_flags(rows, qi), kept]),
        space=codec.join_axes(list(axes.values())),
    )


def refuse_frequent(counts: Wide, l: int) -> None:
    """No sensitive value may be in more than 1/l of the rows; each has one at least, or it would have no code."""
    if not counts.all():
        raise malformed("rows", "there are codes of sensitive values that no row has")
    top, found = int(counts.max()), int(counts.sum())
    if top * l > found:
        raise NotEligible.too_frequent(top, found, l)


def read_searched(
    rows: pa.StructArray | None, columns: Mapping[str, Any], parameter: str, wildcards: bool = True
) -> tuple[Microdata | None, int]:
    """Read rows for a search, with the largest k or l that they allow; None and 1 if l cannot even be 2."""
    if parameter == "k":
        data = read_microdata(rows, columns, "k", 1, wildcards)
        return data, data.sensitive.size
    try:
        data = read_microdata(rows, columns, "l", 2, wildcards)
    except NotEligible:
        return None, 1
    return data, data.sensitive.size // int(np.bincount(data.sensitive).max())
