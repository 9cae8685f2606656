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
from sqlanon.errors import InvalidParameter, ReleaseMismatch
from sqlanon.evaluate.request import Evaluation

from .conjunctions import ROUNDING, Conjunctions, Thresholds, extended
from .examples import (
    Examples,
    Floats,
    Table,
    class_codes,
    draw_values,
    fetch,
    joined,
    number_classes,
    read_target,
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
        conditions = " and ".join(f"{attribute} = {shown(value)}" for attribute, value in self.conditions)
        return f"{conditions} ⇒ {shown(self.target)}"


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
    request = read_target(tbl, tbl, qi, target)
    thresholds = read_thresholds(request, accuracy, cover, conditions)
    source = read_source(con, request)
    examples = source_examples(source, len(request.qi))
    return learn_rules(examples, thresholds, Names(request.qi, read_values(con, request), class_names(source)))


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
    request = read_target(src, rel, qi, target, taxonomy)
    thresholds = read_thresholds(request, accuracy, cover, conditions)
    draw = np.random.default_rng([whole("seed", seed, 0), 1])
    source = read_source(con, request)
    names = Names(request.qi, read_values(con, request), class_names(source))
    of_source = learn_rules(source_examples(source, len(request.qi)), thresholds, names)
    release = release_examples(con, request, source, draw)
    upheld = tuple(rule for each in of_source if (rule := upheld_rule(each, release, names)) is not None)
    return PreservedRules(of_source, learn_rules(release, thresholds, names), upheld)


def read_thresholds(request: Evaluation, accuracy: float, cover: int, conditions: int) -> Thresholds:
    """Check what a rule must reach, and that there are not too many conjunctions to look at."""
    conditions = min(whole("conditions", conditions, 1), len(request.qi))
    looked_at = sum(math.comb(len(request.qi), size) for size in range(1, conditions + 1))
    if looked_at > MOST_CONJUNCTIONS:
        raise InvalidParameter(
            f"conditions = {conditions} of {len(request.qi)} columns are {looked_at} sets of columns to look at.",
            f"At most {MOST_CONJUNCTIONS}: ask for fewer conditions, or name fewer columns.",
        )
    return Thresholds(share("accuracy", accuracy), whole("cover", cover, 1), conditions)


@dataclass(frozen=True)
class Names:
    """What the numbers stand for: columns, the values that each has in the source by code, and classes."""

    columns: Sequence[str]
    values: Sequence[Mapping[int, str | None]]
    classes: Sequence[str | None]


def read_source(con: duckdb.DuckDBPyConnection, request: Evaluation) -> Table:
    """The rows of the source, in codes."""
    # here, because it brings sqlglot: importing this stays light
    from sqlanon.evaluate.features import source_codes

    return fetch(con, source_codes(request, None))


def read_values(con: duckdb.DuckDBPyConnection, request: Evaluation) -> list[dict[int, str | None]]:
    """What the codes of each column stand for: the column itself is read as the key. -1 stands for nothing."""
    from sqlanon.evaluate.features import source_codes

    values = []
    for column in request.qi:
        taxonomy = tuple(pair for pair in request.taxonomy if pair[0] == column)
        alone = source_codes(replace(request, qi=(column,), taxonomy=taxonomy), column)
        pairs = fetch(con, f"SELECT DISTINCT low_1 AS code, key FROM ({alone}) WHERE low_1 >= 0")
        values.append(dict(zip(pairs["code"].tolist(), pairs["key"], strict=True)))
    return values


def class_names(source: Table) -> list[str | None]:
    """The classes in the order of their numbers."""
    return list(number_classes(source))


def source_examples(source: Table, columns: int) -> Examples:
    """Codes as features."""
    rows = np.arange(source["target"].size, dtype=np.int64)
    classes = class_codes(source, number_classes(source))
    return Examples(stacked(source, columns), classes, np.ones(rows.size), rows)


def release_examples(
    con: duckdb.DuckDBPyConnection, request: Evaluation, source: Table, draw: np.random.Generator
) -> Examples:
    """Codes as features, one of those that a cell covers."""
    from sqlanon.evaluate.features import release_codes

    release = fetch(con, release_codes(request, None))
    if not release["target"].size:
        raise ReleaseMismatch("rel has no rows to learn from.")
    draw_values(release, len(request.qi), draw)
    classes = class_codes(release, number_classes(source))
    parts = Examples(stacked(release, len(request.qi)), classes, release["weight"], release["row"])
    return joined(parts, draw)


def stacked(table: Table, columns: int) -> Floats:
    """The codes of all columns, one after the other."""
    return np.column_stack([table[f"low_{i}"].astype(np.float64) for i in range(1, columns + 1)])


def learn_rules(examples: Examples, thresholds: Thresholds, names: Names) -> tuple[Rule, ...]:
    """The rules of a table. Those about values that the source does not have are left out: they have no name."""
    codes = [column.astype(np.int64) for column in examples.features.T]
    everywhere = Conjunctions((), np.arange(examples.row.size), np.zeros(examples.row.size, np.int64))
    accurate = []
    for found in extended(everywhere, codes, examples, thresholds):
        for row, target, accuracy, cover in found.accurate(examples, thresholds.accuracy):
            places = [(column, int(codes[column][row])) for column in found.columns]
            if all(code in names.values[column] for column, code in places):
                conditions = tuple((names.columns[column], names.values[column][code]) for column, code in places)
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
        place = names.columns.index(column)
        code = next(code for code, text in names.values[place].items() if text == value)
        rows &= examples.features[:, place] == code
    hits = np.bincount(examples.classes[rows], examples.weights[rows], minlength=len(names.classes))
    hit, cover = float(hits[names.classes.index(rule.target)]), float(hits.sum())
    return replace(rule, accuracy=hit / cover, cover=cover) if cover and hit >= hits.max() - ROUNDING else None


def shown(value: str | None) -> str:
    """A value as people write it."""
    return "NULL" if value is None else value
