"""From what DuckDB hands over to a table that algorithms can group, or the reason why it cannot be grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.errors import NotEligible, TooFewRows

from . import codec
from .kernels.space import Microdata


def each_call(
    asked: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray
) -> Iterator[tuple[pa.StructArray | None, Mapping[str, Any], Any]]:
    """What DuckDB hands over, call by call: the rows of a table in codes, what they mean, and what is asked of them."""
    for request, table, described in zip(asked, rows, columns, strict=True):
        yield table.values, described, request.as_py()


def read_microdata(rows: pa.StructArray | None, columns: Mapping[str, Any], parameter: str, least: int) -> Microdata:
    """Read rows in codes; refuse types that cannot be grouped, too few rows, and sensitive values too frequent.

    `columns` describes each quasi-identifier (qi_1 …) and, for l-diversity, the sensitive attributes (sa_1 …).
    """
    qi = [name for name in columns if name.startswith("qi_")]
    sa = [name for name in columns if name.startswith("sa_")]
    codec.refuse_types(columns.values())
    found = 0 if rows is None else len(rows)
    if rows is None or found < least:
        raise TooFewRows(found, parameter, least)
    sensitive = codec.row_codes(rows, sa) if sa else np.zeros((1, found), np.int32)  # k-anonymity: all alike
    for values in sensitive if sa else ():
        top = int(np.bincount(values).max())
        if top * least > found:
            raise NotEligible.too_frequent(top, found, least)
    fields = [field.name for field in rows.type]
    return Microdata(
        codes=codec.row_codes(rows, qi),
        sensitive=sensitive[0],
        apart=np.concatenate([sensitive[1:], codec.row_codes(rows, [name for name in fields if name == "individual"])]),
        # a wildcard has the code of a value, but publishes nothing: it is not the same row
        ties=np.concatenate(
            [codec.wildcard_flags(rows, qi), codec.row_codes(rows, [n for n in fields if n.startswith("keep_")])]
        ),
        space=codec.join_axes([codec.read_axis(columns[name]) for name in qi]),
    )


def read_searched(
    rows: pa.StructArray | None, columns: Mapping[str, Any], parameter: str
) -> tuple[Microdata | None, int]:
    """Read rows for a search, with the largest k or l that they allow; None and 1 if l cannot even be 2."""
    if parameter == "k":
        data = read_microdata(rows, columns, "k", 1)
        return data, data.sensitive.size
    try:
        data = read_microdata(rows, columns, "l", 2)
    except NotEligible:
        return None, 1
    return data, data.sensitive.size // int(np.bincount(data.sensitive).max())
