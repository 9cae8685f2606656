"""A release in arrays: classes by what they cover in codes of the source, and the sensitive values they publish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import whole
from sqlanon.errors import ReleaseMismatch

from ..arrow.arguments import ROWS, field_of, malformed, whole_numbers
from ..arrow.codec import integers
from ..kernels.count_queries import Flags
from ..kernels.space import Floats, Ints, Wide
from .workload import Attribute

SEPARATOR = ", "


@dataclass(frozen=True)
class Published:
    """Column c has the cells cells[c] … cells[c + 1] - 1, each of which covers the codes low … high.

    Class k publishes the cell cell_of[c, k]; of its rows, held_rows[i] publish the sensitive value held_value[i], for i
    from held_from[k] up to held_from[k + 1]. Value v stands for the codes told_codes[told_from[v] … told_from[v + 1]].
    """

    low: Ints
    high: Ints
    cells: Wide
    cell_of: Ints
    held_from: Wide
    held_value: Wide
    held_rows: Wide
    told_codes: Wide
    told_from: Wide

    def told(self, wanted: Flags | None) -> Floats:
        """Per published sensitive value, the share of what it stands for that is wanted."""
        size = self.told_from.size - 1
        if wanted is None or size == 0:
            return np.ones(size)
        satisfied = np.add.reduceat(wanted[self.told_codes].astype(np.float64), self.told_from[:-1])
        shares: Floats = satisfied / np.diff(self.told_from)
        return shares


def read_published(
    classes: pa.StructArray | None,
    secrets: Sequence[Mapping[str, Any]],
    attributes: Sequence[Attribute],
    names: Sequence[str],
) -> Published:
    """Read classes (low_*, high_* and what they hold) and the published sensitive values; sa is the last attribute.

    Classes are put in an order of their own, so that sums do not depend on the one they came in.
    """
    size = 0 if classes is None else len(classes)
    cells = [0]
    low: list[Wide] = []
    high: list[Wide] = []
    cell_of = np.empty((len(names) - 1, size), np.int32)
    for place, own in enumerate(names[:-1]):
        width = max(1, len(attributes[place].labels))
        keys = np.empty(0, np.int64)
        if classes is not None:
            ends = (whole_numbers("classes", classes, f"{end}_{own}", width) for end in ("low", "high"))
            first, last = map(integers, ends)
            if (first > last).any():
                raise malformed("classes", f"what {own} covers ends before it begins")
            keys = first * width + last
        distinct, which = np.unique(keys, return_inverse=True)
        cell_of[place] = cells[-1] + which
        cells.append(cells[-1] + distinct.size)
        low.append(distinct // width)
        high.append(distinct % width)
    order = np.lexsort(cell_of[::-1])
    rank = np.empty(size, np.int64)
    rank[order] = np.arange(size)
    owner = value = rows = np.empty(0, np.int64)
    if classes is not None:
        held = field_of("classes", classes, "held")
        if not pa.types.is_list(held.type) or not pa.types.is_struct(held.type.value_type) or held.null_count:
            raise malformed("classes", "column held is not one of lists of structs")
        owner = np.repeat(rank, integers(held.value_lengths()))
        value = integers(whole_numbers("held", held.flatten(), "value", len(secrets)))
        rows = integers(whole_numbers("held", held.flatten(), "n", ROWS))
    by_owner = np.lexsort((value, owner))
    told = stands_for(secrets, attributes[-1])
    return Published(
        low=np.concatenate(low).astype(np.int32),
        high=np.concatenate(high).astype(np.int32),
        cells=np.array(cells, np.int64),
        cell_of=np.ascontiguousarray(cell_of[:, order]),
        held_from=np.searchsorted(owner[by_owner], np.arange(size + 1)).astype(np.int64),
        held_value=value[by_owner],
        held_rows=rows[by_owner],
        told_codes=np.fromiter(chain.from_iterable(told), np.int64),
        told_from=np.cumsum([0, *map(len, told)], dtype=np.int64),
    )


def stands_for(secrets: Sequence[Mapping[str, Any]], attribute: Attribute) -> list[Sequence[int]]:
    """The codes that each published sensitive value stands for: its own, those it lists, the leaves below a label."""
    code_of = {label: code for code, label in enumerate(attribute.labels)}
    return [covered_codes(secret, attribute, code_of) for secret in secrets]


def covered_codes(secret: Mapping[str, Any], attribute: Attribute, code_of: Mapping[str | None, int]) -> Sequence[int]:
    """The codes of one published sensitive value: `label` is its text, `items` what it lists, low … high its leaves."""
    label, items = secret.get("label"), secret.get("items")
    if items is not None:
        codes = [code_of.get(item, -1) for item in items]
    elif label in code_of:
        codes = [code_of[label]]
    elif label == "*":  # NULL too, even where it is the root of a taxonomy
        codes = list(code_of.values())
    elif secret.get("low") is not None:
        low, high = whole("low", secret["low"], 0), whole("high", secret.get("high"), 0)
        codes = list(range(low, high + 1)) if high < len(attribute.labels) else []
    else:
        codes = listed_codes(label or "", code_of)
    if not codes or -1 in codes:
        raise ReleaseMismatch(
            f"column {attribute.name!r} of rel has a value that lies outside the domain of src.",
            "Is it the source of this release?",
        )
    return codes


def listed_codes(text: str, code_of: Mapping[str | None, int]) -> list[int]:
    """The codes of {a, b, c}; values that hold a comma themselves are put together again. Empty if there is no way."""
    if not (text.startswith("{") and text.endswith("}")):
        return []
    pieces = text[1:-1].split(SEPARATOR)
    known = {label: code for label, code in code_of.items() if label is not None}
    known.setdefault("NULL", code_of.get(None, -1))
    if all(piece in known for piece in pieces):
        return [known[piece] for piece in pieces]
    read: list[list[int] | None] = [[], *[None] * len(pieces)]  # read[i]: the codes of the first i pieces
    for end in range(1, len(pieces) + 1):
        for start in range(end - 1, -1, -1):
            before, value = read[start], SEPARATOR.join(pieces[start:end])
            if before is not None and value in known:
                read[end] = [*before, known[value]]
                break
    return read[-1] or []
