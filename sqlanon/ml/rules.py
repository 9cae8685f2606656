"""Classification rules, `attribute = value [and …] ⇒ class`, learned from a release and from its source alike.

The learner: all conjunctions of up to `conditions` attributes with one value each. One that covers at least `cover`
rows, of which a class has at least the share `accuracy`, is a rule, unless some of its conditions alone already make a
rule for that class. Nothing is sampled and nothing is pruned by a guess, so the rules of a table are a fact about it.

In a release each general value is replaced by one that it covers, drawn at random, as Tian and Zhang do for trees. A
row with a general class counts for each class that it covers, in part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import duckdb
import numpy as np

from sqlanon.arguments import share, whole
from sqlanon.errors import InvalidParameter
from sqlanon.evaluate.request import Evaluation

from .conjunctions import ROUNDING, Conjunctions, Thresholds, extend
from .examples import (
    Examples,
    Floats,
    Table,
    encode_release,
    encode_source,
    fetch,
    number_classes,
    read_learner_arguments,
    release_examples,
    source_examples,
)

MOST_CONJUNCTIONS = 10_000
"""Sets of attributes to look at; each takes some milliseconds for 50,000 rows."""

Conditions = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Rule:
    """Rows that satisfy all `conditions`, (attribute, value) each, have the class `target`; None is NULL.

    Rules are equal if they say the same, whatever their accuracy and cover in the table that they come from.
    """

    conditions: Conditions
    target: str | None
    accuracy: float = field(compare=False)
    cover: float = field(compare=False)

    def __str__(self) -> str:
        """The rule as people write it."""
        conditions = " and ".join(f"{attribute} = {write_value(value)}" for attribute, value in self.conditions)
        return f"{conditions} ⇒ {write_value(self.target)}"


@dataclass(frozen=True)
class PreservedRules:
    """The rules of a source and those of its release; `preserved` are in both, with the figures of the release.

    `upheld` asks for less: the rules of the source whose class is still the most frequent one where their conditions
    hold, with the figures of the release.
    """

    source: tuple[Rule, ...]
    release: tuple[Rule, ...]
    upheld: tuple[Rule, ...]

    @property
    def preserved(self) -> tuple[Rule, ...]:
        """The rules of the release that are rules of the source."""
        known = set(self.source)
        return tuple(rule for rule in self.release if rule in known)


def rules(
    con: duckdb.DuckDBPyConnection,
    tbl: str,
    qi: Sequence[str],
    target: str,
    *,
    accuracy: float = 0.9,
    cover: int = 100,
    conditions: int = 3,
) -> tuple[Rule, ...]:
    """Learn rules for `target` from the columns `qi` of a table: few conditions first, then those that cover most."""
    request = read_learner_arguments(tbl, tbl, qi, target)
    thresholds = read_thresholds(request, accuracy, cover, conditions)
    source = encode_source(con, request)
    return learn_rules(source_examples(source, stack_codes), thresholds, read_names(con, request, source))


def preserved_rules(
    con: duckdb.DuckDBPyConnection,
    src: str,
    rel: str,
    qi: Sequence[str],
    target: str,
    *,
    taxonomy: Mapping[str, str] | None = None,
    accuracy: float = 0.9,
    cover: int = 100,
    conditions: int = 3,
    seed: int = 0,
) -> PreservedRules:
    """Learn rules for `target` from the columns `qi` of a source and of its release.

    `target` is the sensitive attribute or a column that the release keeps. `taxonomy` as in publishing, and for the
    target too if the release has labels of it.
    """
    request = read_learner_arguments(src, rel, qi, target, taxonomy)
    thresholds = read_thresholds(request, accuracy, cover, conditions)
    draw = np.random.default_rng([whole("seed", seed, 0), 1])
    source = encode_source(con, request)
    names = read_names(con, request, source)
    of_source = learn_rules(source_examples(source, stack_codes), thresholds, names)
    release = release_examples(source, encode_release(con, request, draw=draw), stack_codes, draw)
    upheld = tuple(rule for each in of_source if (rule := upheld_rule(each, release, names)) is not None)
    return PreservedRules(of_source, learn_rules(release, thresholds, names), upheld)


def read_thresholds(request: Evaluation, accuracy: float, cover: int, conditions: int) -> Thresholds:
    """Check the thresholds of a rule, and that there are not too many conjunctions to look at."""
    conditions = min(whole("conditions", conditions, 1), len(request.qi))
    sets = sum(math.comb(len(request.qi), size) for size in range(1, conditions + 1))
    if sets > MOST_CONJUNCTIONS:
        raise InvalidParameter(
            f"conditions = {conditions} of {len(request.qi)} columns are {sets} sets of columns to look at.",
            f"At most {MOST_CONJUNCTIONS}: ask for fewer conditions, or name fewer columns.",
        )
    return Thresholds(share("accuracy", accuracy), whole("cover", cover, 1), conditions)


@dataclass(frozen=True)
class Names:
    """The names behind the numbers: columns, the values that each has in the source by code, and classes."""

    columns: Sequence[str]
    values: Sequence[Mapping[int, str | None]]
    classes: Sequence[str | None]


def read_names(con: duckdb.DuckDBPyConnection, request: Evaluation, source: Table) -> Names:
    """The names of columns, their values and classes, in the order of their numbers."""
    return Names(request.qi, read_values(con, request), list(number_classes(source)))


def read_values(con: duckdb.DuckDBPyConnection, request: Evaluation) -> list[dict[int, str | None]]:
    """The value of each code, by column: the column itself is read as the key. The code -1 has none."""
    from sqlanon.evaluate.features import source_codes

    values = []
    for column in request.qi:
        taxonomy = tuple(pair for pair in request.taxonomy if pair[0] == column)
        alone = source_codes(replace(request, qi=(column,), taxonomy=taxonomy), column)
        pairs = fetch(con, f"SELECT DISTINCT low_1 AS code, key FROM ({alone}) WHERE low_1 >= 0")
        values.append(dict(zip(pairs["code"].tolist(), pairs["key"], strict=True)))
    return values


def stack_codes(table: Table, _: str) -> Floats:
    """Codes as features: the lowest of each cell, which is a value of the source, or one that was drawn."""
    columns = sum(name.startswith("low_") for name in table)
    return np.column_stack([table[f"low_{i}"].astype(np.float64) for i in range(1, columns + 1)])


def learn_rules(examples: Examples, thresholds: Thresholds, names: Names) -> tuple[Rule, ...]:
    """The rules of a table. Those about values that the source does not have are left out: they have no name."""
    codes = [column.astype(np.int64) for column in examples.features.T]
    everywhere = Conjunctions((), np.arange(examples.row.size), np.zeros(examples.row.size, np.int64))
    accurate = []
    for conjunctions in extend(everywhere, codes, examples, thresholds):
        for row, target, accuracy, cover in conjunctions.find_accurate(examples, thresholds.accuracy):
            pairs = [(column, int(codes[column][row])) for column in conjunctions.columns]
            if all(code in names.values[column] for column, code in pairs):
                conditions = tuple((names.columns[column], names.values[column][code]) for column, code in pairs)
                accurate.append(Rule(conditions, names.classes[target], accuracy, cover))
    return without_longer_rules(accurate)


def without_longer_rules(accurate: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules of which no part is a rule for the same class, shortest first, then by what they cover."""
    kept: list[Rule] = []
    known: set[tuple[Conditions, str | None]] = set()
    for rule in sorted(accurate, key=lambda rule: (len(rule.conditions), -rule.cover, -rule.accuracy, str(rule))):
        lengths = range(1, len(rule.conditions))
        if not any((part, rule.target) in known for n in lengths for part in combinations(rule.conditions, n)):
            kept.append(rule)
            known.add((rule.conditions, rule.target))
    return tuple(kept)


def upheld_rule(rule: Rule, examples: Examples, names: Names) -> Rule | None:
    """The rule with the figures of other examples, if no class is more frequent where its conditions hold."""
    rows = np.ones(examples.row.size, np.bool_)
    for column, value in rule.conditions:
        position = names.columns.index(column)
        code = next(code for code, text in names.values[position].items() if text == value)
        rows &= examples.features[:, position] == code
    hits = np.bincount(examples.classes[rows], examples.weights[rows], minlength=len(names.classes))
    hit, cover = float(hits[names.classes.index(rule.target)]), float(hits.sum())
    return replace(rule, accuracy=hit / cover, cover=cover) if cover and hit >= hits.max() - ROUNDING else None


def write_value(value: str | None) -> str:
    """A value as people write it."""
    return "NULL" if value is None else value
