"""_sqlanon_distribution_distance: how far a reconstructed cross tabulation is from that of the source."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.errors import Guard, ReleaseMismatch

from .arrow.arguments import field_of, listed_rows, malformed_call, struct_of
from .kernels.space import Floats
from .randomizing.published import read_weights, strides

KIND = pa.struct([("l1", pa.float64()), ("l2", pa.float64()), ("hellinger", pa.float64())])


def call(reconstructed: pa.ChunkedArray, sources: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: domains and counts of cells, and the distinct rows of the source in; three distances out."""
    with Guard("measuring distances"):
        distances = []
        for answer, source in zip(reconstructed, sources, strict=True):
            fields = struct_of("reconstructed", answer)
            domains, counts = read_domains(fields.get("domains")), read_counts(fields.get("counts"))
            if counts.size != np.prod([len(domain) for domain in domains]):
                raise malformed_call("reconstructed", "not a count for each cell")
            distances.append(distance(count_cells(domains, listed_rows("source", source)), counts))
    return pa.array(distances, KIND)


def read_domains(domains: object) -> list[pa.Array]:
    """The values of each attribute as text."""
    if not isinstance(domains, list) or not domains or not all(isinstance(domain, list) for domain in domains):
        raise malformed_call("reconstructed", "domains are not lists")
    try:
        return [pa.array(domain, pa.string()) for domain in domains]
    except pa.ArrowException:
        raise malformed_call("reconstructed", "domains are not lists of texts") from None


def read_counts(counts: object) -> Floats:
    """The counts of cells."""
    if not isinstance(counts, list) or not all(isinstance(count, float) and count >= 0 for count in counts):
        raise malformed_call("reconstructed", "counts are not numbers")
    return np.array(counts, np.float64)


def count_cells(domains: Sequence[pa.Array], source: pa.StructArray | None) -> Floats:
    """The counts of cells in the source, whose rows have a_1 … as text, and n."""
    counts = np.zeros(int(np.prod([len(domain) for domain in domains])))
    if source is None:
        return counts
    cells = np.zeros(len(source), np.int64)
    for number, (domain, stride) in enumerate(zip(domains, strides([*map(len, domains)]), strict=True), 1):
        texts = field_of("source", source, f"a_{number}")
        if not pa.types.is_string(texts.type) and not pa.types.is_null(texts.type):
            raise malformed_call("source", "not text")
        codes = pc.index_in(texts.cast(pa.string()), value_set=domain)
        if codes.null_count:
            raise ReleaseMismatch("src has a value that is not in the domain of its attribute in params.", IS_SOURCE)
        cells += stride * codes.to_numpy()
    np.add.at(counts, cells, read_weights(field_of("source", source, "n")))
    return counts


IS_SOURCE = "Is it the source of this release?"


def distance(counts: Floats, estimates: Floats) -> dict[str, float] | None:
    """L1, L2 and Hellinger distance of both as distributions (definitions 7 to 9 of the paper); None without rows."""
    if not counts.sum() or not estimates.sum():
        return {"l1": None, "l2": None, "hellinger": None}  # type: ignore[dict-item]
    one, other = counts / counts.sum(), estimates / estimates.sum()
    return {
        "l1": float(np.abs(one - other).sum()),
        "l2": float(np.sqrt(((one - other) ** 2).sum())),
        "hellinger": float(np.sqrt(((np.sqrt(one) - np.sqrt(other)) ** 2).sum() / 2)),
    }
