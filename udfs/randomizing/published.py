"""A randomized release and its parameters, checked: both are tables of users, and may be anything."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter, ReleaseMismatch, WrongColumn
from sqlanon.release.models import GROUNDS, MOST_CELLS

from ..arrow.arguments import field_of, malformed_call
from ..kernels.randomize.bayes import TOLERANCE, reconstruct
from ..kernels.randomize.members import count_members
from ..kernels.runtime.interrupt import STOP, raise_if_interrupted
from ..kernels.space import Floats, Ints, Wide

_log = logging.getLogger("sqlanon")


class Attribute(NamedTuple):
    """A row of the parameters; values of the domain as text."""

    name: str
    domain: pa.Array
    eta: int
    p: float
    ground: str = GROUNDS[0]

    @property
    def size(self) -> int:
        return len(self.domain)

    @property
    def same(self) -> float:
        """The probability that a list holds the value of its row."""
        return self.p + (1 - self.p) * self.eta / self.size

    @property
    def other(self) -> float:
        """The probability that a list holds any one of the other values."""
        decoy = (self.eta - 1) / (self.size - 1) if self.size > 1 else 0.0
        return self.p * decoy + (1 - self.p) * self.eta / self.size


class Lists(NamedTuple):
    """Attributes with their lists, a line for each combination, and how many rows each line stands for."""

    attributes: Sequence[Attribute]
    items: Sequence[Ints]
    weights: Wide

    def of(self, attributes: Sequence[int]) -> Lists:
        """Some of the attributes."""
        chosen = [[every[number] for number in attributes] for every in (self.attributes, self.items)]
        return Lists(chosen[0], chosen[1], self.weights)  # type: ignore[arg-type]


class CrossTabulation(NamedTuple):
    """How many rows hold each cell, how many rows there are, and what there is to know of the attributes."""

    observed: Floats
    rows: int
    attributes: Sequence[Attribute]


class Reconstructed(NamedTuple):
    """The estimated counts of cells, the steps that they took, and the share of all rows that one more would move."""

    counts: Floats
    steps: int
    change: float

    @property
    def converged(self) -> bool:
        return self.change <= TOLERANCE


def read_attributes(parameters: Iterable[Mapping[str, Any]]) -> dict[str, Attribute]:
    """The rows of the parameters by their folded names."""
    attributes: dict[str, Attribute] = {}
    for row in parameters:
        if set(row) - {"ground"} != {"attribute", "domain", "eta", "p"} or not isinstance(row["attribute"], str):
            raise malformed_call("params", "a row has other fields")
        attribute = read_attribute(row["attribute"], row["domain"], row["eta"], row["p"], row.get("ground"))
        if fold(attribute.name) in attributes:
            raise WrongColumn(f"params has attribute {attribute.name!r} twice.")
        attributes[fold(attribute.name)] = attribute
    return attributes


def read_attribute(name: str, domain: object, eta: object, p: object, ground: object = None) -> Attribute:
    """One row of the parameters; SA102 if its numbers do not fit its domain."""
    if not isinstance(domain, list) or not all(value is None or isinstance(value, str) for value in domain):
        raise InvalidParameter(f"params: the domain of attribute {name!r} is not a list of texts.", AS_PUBLISHED)
    if len(set(domain)) < len(domain):
        raise InvalidParameter(f"params: the domain of attribute {name!r} has a value twice.", AS_PUBLISHED)
    if isinstance(eta, bool) or not isinstance(eta, int) or not 1 <= eta <= len(domain):
        raise InvalidParameter(f"params: eta of attribute {name!r} does not fit its domain.", AS_PUBLISHED)
    if not isinstance(p, float) or not 0 < p <= 1:
        raise InvalidParameter(f"params: p of attribute {name!r} is no probability above 0.", AS_PUBLISHED)
    if ground is not None and ground not in GROUNDS:
        raise InvalidParameter(f"params: the ground of attribute {name!r} is not equal or ordered.", AS_PUBLISHED)
    return Attribute(name, pa.array(domain, pa.string()), eta, p, str(ground or GROUNDS[0]))


AS_PUBLISHED = "Give params as randomize_params made it."


def chosen_attributes(attributes: Mapping[str, Attribute], names: Iterable[str]) -> list[Attribute]:
    """Those of a cross tabulation. SA101 for one without parameters, SA102 if there are too many cells."""
    chosen = []
    for name in names:
        if fold(name) not in attributes:
            raise WrongColumn(f"params has no attribute {name!r}.", "Only columns that were randomized are in it.")
        chosen.append(attributes[fold(name)])
    cells = math.prod(attribute.size for attribute in chosen)
    if cells > MOST_CELLS:
        raise InvalidParameter(
            f"attributes: their cross tabulation has {cells:,} cells; up to {MOST_CELLS:,} are possible.",
            "Choose fewer attributes.",
        )
    return chosen


def read_lists(attribute: Attribute, lists: pa.Array) -> Ints:
    """The codes of published lists, a line for each list, ascending. SA301 for one that cannot have been published."""
    if pa.types.is_null(lists.type):
        lists = lists.cast(pa.list_(pa.string()))
    if not pa.types.is_list(lists.type):
        raise malformed_call("lists", "not lists")
    items = lists.flatten()
    if not pa.types.is_string(items.type) and not pa.types.is_null(items.type):
        raise malformed_call("lists", "not lists of texts")
    codes = pc.index_in(items.cast(pa.string()), value_set=attribute.domain)
    if lists.null_count or codes.null_count or (np.diff(lists.offsets.to_numpy()) != attribute.eta).any():
        raise no_release(attribute)
    lines: Ints = np.sort(codes.to_numpy().reshape(len(lists), attribute.eta), axis=1).astype(np.int32)
    if (np.diff(lines, axis=1) == 0).any():
        raise no_release(attribute)
    return lines


def no_release(attribute: Attribute) -> ReleaseMismatch:
    """The error of a column that does not hold lists of its attribute."""
    return ReleaseMismatch(
        f"column {attribute.name!r} of rel has a value that is not a list of {attribute.eta} different values of its "
        "domain in params.",
        "Are these the parameters of this release?",
    )


def read_weights(weights: pa.Array) -> Wide:
    """How many rows each line stands for."""
    if not pa.types.is_integer(weights.type) or weights.null_count or (len(weights) and pc.min(weights).as_py() < 0):
        raise malformed_call("lists", "n is no number of rows")
    counts: Wide = weights.to_numpy(zero_copy_only=False).astype(np.int64)
    return counts


def read_released(attributes: Sequence[Attribute], released: pa.StructArray | None) -> tuple[list[Ints], Wide]:
    """The codes of lists, by attribute, and how many rows have them. `released` has a_1 …, lists as text, and n."""
    if released is None:
        return [np.zeros((0, attribute.eta), np.int32) for attribute in attributes], np.zeros(0, np.int64)
    weights = read_weights(field_of("lists", released, "n"))
    return [
        read_lists(attribute, field_of("lists", released, f"a_{number}"))
        for number, attribute in enumerate(attributes, 1)
    ], weights


def tabulate(attributes: Sequence[Attribute], lists: Sequence[Ints], weights: Wide) -> CrossTabulation:
    """Count the rows whose lists hold each combination of values; `lists` has an array for each attribute."""
    sizes = [attribute.size for attribute in attributes]
    observed = np.zeros(math.prod(sizes))
    etas = np.array([attribute.eta for attribute in attributes], np.int64)
    count_members(np.concatenate(lists, axis=1), etas, strides(sizes), weights.astype(np.float64), observed, STOP)
    raise_if_interrupted()
    return CrossTabulation(observed, int(weights.sum()), attributes)


def strides(sizes: Sequence[int]) -> Wide:
    """By how much the number of a cell grows with each attribute's code."""
    return np.array([math.prod(sizes[place + 1 :]) for place in range(len(sizes))], np.int64)


def channel(attributes: Sequence[Attribute]) -> tuple[Wide, Floats, Floats]:
    """Attributes as kernels want them: sizes, `same` and `other`."""
    sizes = np.array([attribute.size for attribute in attributes], np.int64)
    same = np.array([attribute.same for attribute in attributes], np.float64)
    return sizes, same, np.array([attribute.other for attribute in attributes], np.float64)


def run_bayes(table: CrossTabulation) -> Reconstructed:
    """The counts of cells by equation 26, to its fixed point."""
    members = float(math.prod(attribute.eta for attribute in table.attributes))
    answer = Reconstructed(*reconstruct(table.observed, *channel(table.attributes), members, STOP))
    raise_if_interrupted()
    log_reconstruction(answer, table.rows)
    return answer


def log_reconstruction(answer: Reconstructed, rows: int) -> None:
    """Leave a line that says what it took; a warning if it did not come to its end."""
    _log.log(
        logging.INFO if answer.converged else logging.WARNING,
        "reconstructed %d cells from %d rows in %d steps; one more would move a share of %.1e of them",
        *(answer.counts.size, rows, answer.steps, answer.change),
    )


def by_value_adding(table: CrossTabulation) -> Reconstructed:
    """The counts of cells by equation 18."""
    held = math.prod(attribute.same for attribute in table.attributes)
    members = math.prod(attribute.eta for attribute in table.attributes)
    counts = table.observed * (held / members)
    if table.observed.size > members:
        counts += (table.rows - table.observed) * ((1 - held) / (table.observed.size - members))
    return Reconstructed(counts, 0, 0.0)
