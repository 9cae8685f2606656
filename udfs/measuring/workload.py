"""Count queries drawn at random: which values they ask for, and the SQL that says so.

A query of several dimensions asks the sensitive attribute, if there is one, and quasi-identifiers for the rest. Nothing
here knows a release, so all releases of a table meet the same queries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..kernels.measure.count_queries import Flags
from ..kernels.space import Wide

LONGEST = 1000
"""Values that one IN (…) lists; of more, a run of neighbours is asked for, where the type has an order."""
PLAIN = re.compile(r"U?(TINYINT|SMALLINT|INTEGER|BIGINT)|DECIMAL\(.*\)")
"""Types whose values are literals as they are; those of any other type are quoted, and read as the column's type."""


@dataclass(frozen=True)
class Attribute:
    """A column of the source: the text of each value of its domain in code order, None for NULL, which comes last.

    `occurring` are the codes that the source has, in the order of their values; a taxonomy has leaves beyond them.
    `measured`: its values are numbers, dates or times in their order.
    """

    name: str
    type_name: str
    measured: bool
    tree: bool
    labels: Sequence[str | None]
    occurring: Wide

    @property
    def identifier(self) -> str:
        """The column's name as SQL writes it."""
        return '"' + self.name.replace('"', '""') + '"'


@dataclass(frozen=True)
class Query:
    """A condition, and per column that it asks (by number: quasi-identifiers, then sa) 1 for each code that will do."""

    predicate: str
    wanted: dict[int, Flags]


def draw_query(
    attributes: Sequence[Attribute], dims: int, selectivity: float, stream: np.random.Generator, sensitive: bool = True
) -> Query:
    """Draw a query of `dims` columns, each of which lets the same share of its values pass.

    `sensitive`: the last attribute is the sensitive one, which every query asks; else all are quasi-identifiers.
    Draws only uniform numbers from the stream: what is made of them here does not change with numpy's version.
    """
    sensitive_number = len(attributes) - sensitive
    chosen = np.sort(np.argsort(stream.random(sensitive_number), kind="stable")[: dims - sensitive])
    conditions, wanted = [], {}
    for number in [*chosen.tolist(), *range(sensitive_number, len(attributes))]:
        attribute = attributes[number]
        count = max(1, round(selectivity ** (1 / dims) * attribute.occurring.size))
        in_order = not attribute.tree and attribute.type_name != "BOOLEAN"
        run = (attribute.measured and number != sensitive_number) or (count > LONGEST and in_order)
        picked = attribute.occurring[(pick_run if run else pick_set)(attribute.occurring.size, count, stream)]
        conditions.append(write_condition(attribute, picked.tolist(), run))
        wanted[number] = np.zeros(len(attribute.labels), np.uint8)
        wanted[number][picked] = 1
    return Query(" AND ".join(conditions), wanted)


def pick_run(size: int, count: int, stream: np.random.Generator) -> Wide:
    """Neighbours, from a random one on."""
    return int(stream.random() * (size - count + 1)) + np.arange(count)


def pick_set(size: int, count: int, stream: np.random.Generator) -> Wide:
    """Any `count` of them, ascending."""
    return np.sort(np.argpartition(stream.random(size), count - 1)[:count])


def write_condition(attribute: Attribute, codes: Sequence[int], run: bool) -> str:
    """The condition that a column has one of these values."""
    labels = [attribute.labels[code] for code in codes]
    known = [write_literal(attribute, label) for label in labels if label is not None]
    missing = f"{attribute.identifier} IS NULL"
    if not known:
        return missing
    wanted = f"BETWEEN {known[0]} AND {known[-1]}" if run else f"IN ({', '.join(known)})"
    condition = f"{attribute.identifier} {wanted}"
    return condition if len(known) == len(labels) else f"({condition} OR {missing})"


def write_literal(attribute: Attribute, label: str) -> str:
    """A value as SQL writes it."""
    return label if PLAIN.fullmatch(attribute.type_name) else "'" + label.replace("'", "''") + "'"
