"""From what DuckDB hands over to a table that algorithms can group, or the reason why it cannot be grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.bounds import Population
from sqlanon.errors import InvalidParameter, NotEligible
from sqlanon.release.models import Model, Parameters, refuse_few

from ..arrow import codec
from ..arrow.arguments import described_columns, list_of, listed_rows, malformed_call, struct_of
from ..kernels.space import Floats, Ints, Microdata, SensitiveTrees


def each_call(
    settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray
) -> Iterator[tuple[pa.StructArray | None, Mapping[str, Any], Any]]:
    """The input of one call of DuckDB: the rows of a table in codes, what they mean, and how to group them."""
    for setting, table, described in zip(settings, rows, columns, strict=True):
        yield listed_rows("rows", table), described_columns(described, "role"), struct_of("setting", setting)


def read_microdata(
    rows: pa.StructArray | None,
    columns: Mapping[str, Any],
    model: Model,
    parameters: Parameters,
    *,
    wildcards: bool = True,
    apart: bool = False,
    strict: bool = True,
) -> Microdata:
    """Read rows in codes; refuse types that cannot be grouped, and tables that are not eligible.

    `columns` describes each quasi-identifier, kept column and, if the model needs them, sensitive attribute.
    Where people are kept `apart`, every row of a class is another person, and only rows need to be eligible. If it is
    not `strict`, rows may be left out, and nobody knows yet which are eligible then: it is enough that there are some.
    """
    qi, sa, kept = (with_role(columns, role) for role in ("qi", "sa", "keep"))
    if not qi or bool(sa) != model.sensitive:
        raise malformed_call("columns", f"not what {model.function} needs")
    codec.refuse_types(columns.values())
    if rows is None:
        model.refuse([Population("rows", 0, [])], parameters)
        raise malformed_call("rows", "there are none")
    size = len(rows)
    fields = [field.name for field in rows.type]
    sensitive = codec.row_codes(rows, dict.fromkeys(sa, size))
    possible = [len(list_of(columns[name], "weights")) if "weights" in columns[name] else 0 for name in sa]
    entity = codec.row_codes(rows, {name: size for name in fields if name == "entity"})
    refuse = model.refuse if strict else refuse_few
    refuse([*populations(size, sensitive, entity[:0] if apart else entity, possible)], parameters)
    axes = {name: codec.read_axis(columns[name]) for name in qi}
    sizes = {name: axis.coordinate.size for name, axis in axes.items()}
    return Microdata(
        codes=codec.row_codes(rows, sizes, wildcards),
        sensitive=sensitive[0] if sa else np.zeros(size, np.int32),  # without one, all are alike
        apart=np.concatenate([sensitive[1:], entity]),
        # a wildcard has the code of a value, but publishes nothing: it is not the same row
        ties=np.concatenate([codec.wildcard_flags(rows, qi), codec.row_codes(rows, dict.fromkeys(kept, size))]),
        space=codec.join_axes(list(axes.values())),
        person=entity[0] if entity.size else None,
        trees=read_trees(rows, columns, sa),
        label=codec.row_codes(rows, {"class": size})[0] if "class" in fields else None,
        writing=codec.read_writing(rows, {name: columns[name] for name in qi}, wildcards) if entity.size else None,
    )


def read_trees(rows: pa.StructArray, columns: Mapping[str, Any], sa: Sequence[str]) -> SensitiveTrees | None:
    """The sensitive attributes with their taxonomies, if they have any."""
    if not any("taxonomy" in columns[name] for name in sa):
        return None
    axes = [codec.read_axis(columns[name]) for name in sa]
    sizes = {name: axis.coordinate.size for name, axis in zip(sa, axes, strict=True)}
    codes = codec.row_codes(rows, sizes)
    weights = [read_weights(columns[name], line) for name, line in zip(sa, codes, strict=True)]
    return SensitiveTrees(codes, codec.join_axes(axes), np.concatenate(weights))


def read_weights(described: Mapping[str, Any], codes: Ints) -> Floats:
    """How likely each base value is thought to be; one that occurs must be thought possible."""
    weights = codec.to_floats(list_of(described, "weights"))
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights[codes].all():
        raise InvalidParameter(
            f"options.weights: a weight for column {described['column'].as_py()!r} is missing, negative, infinite, "
            "or 0 for a value that occurs.",
            "Give every value that occurs a weight above 0.",
        )
    return weights


def with_role(columns: Mapping[str, Any], role: str) -> list[str]:
    """The columns that are described to have this role."""
    return [name for name, described in columns.items() if described["role"].as_py() == role]


def populations(size: int, sensitive: Ints, entity: Ints, possible: Sequence[int] = (0,)) -> Iterator[Population]:
    """The rows and, if there is an entity, the people; a person with several values counts for each of them.

    `possible`: for each attribute, how many values it may have, if some of them need not occur; else 0.
    """
    yield Population("rows", size, [*map(most_frequent_first, sensitive, possible)])
    for person in entity:
        pairs = (np.unique(np.stack([person, values]), axis=1)[1] for values in sensitive)
        yield Population("people", int(np.unique(person).size), [most_frequent_first(values) for values in pairs])


def most_frequent_first(values: Ints, possible: int = 0) -> list[int]:
    """How many have each value; unless it is only possible, none has no holder, or it would have no code."""
    counts = np.bincount(values, minlength=possible)
    if not (possible or counts.all()):
        raise malformed_call("rows", "there are codes of sensitive values that no row has")
    return sorted(counts.tolist(), reverse=True)


def read_searched(
    rows: pa.StructArray | None, columns: Mapping[str, Any], model: Model, wildcards: bool = True
) -> tuple[Microdata | None, int]:
    """Read rows for a search, with the largest k or l that they allow; None and 1 if l cannot even be 2."""
    try:
        data = read_microdata(rows, columns, model, model.smallest, wildcards=wildcards)
    except NotEligible:
        return None, 1
    (population,) = populations(data.sensitive.size, data.sensitive[np.newaxis], np.empty((0, 0), np.int32))
    return data, model.strongest(population)
