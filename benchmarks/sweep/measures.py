"""The worth of a release: information, decision trees, rules, count queries."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.queries import struct
from sqlanon.ml import Rule, classification_utility, preserved_rules

from .data import Setting
from .methods import Laboratory, Release


@dataclass(frozen=True)
class Effort:
    """How much is measured: folds of the trees, count queries for each number of dimensions."""

    folds: int
    queries: int


@dataclass(frozen=True)
class Worth:
    """The utility of a release. Ratios of trees are for the sensitive attribute, and for the class of the rules."""

    classes: int
    information: float
    sa_exact: float
    tree_ratio: float
    class_tree_ratio: float
    upheld_rules: int
    rules: int
    telling_rules: int
    source_rules: int
    source_telling_rules: int
    errors: Mapping[int, float]
    median_errors: Mapping[int, float]

    @property
    def error(self) -> float:
        """The average over all queries, whatever their dimension."""
        return statistics.fmean(self.errors.values())

    @property
    def median_error(self) -> float:
        """The mean of the medians by dimension."""
        return statistics.fmean(self.median_errors.values())


def measure(lab: Laboratory, release: Release, effort: Effort) -> Worth:
    """Measure everything."""
    experiment, con = lab.experiment, lab.con
    classes, information = experiment.read_loss(con, release.table, "classes, information")
    errors = con.execute(
        f"SELECT dims, avg(relative_error), median(relative_error) FROM count_query_error('{experiment.table}', "
        f"'{release.table}', {list(experiment.qi)}, '{experiment.sa}', {list(range(1, len(experiment.qi) + 2))}, "
        f"queries := {effort.queries}, taxonomy := {experiment.sql_taxonomy}) GROUP BY dims ORDER BY dims"
    ).fetchall()
    rules = experiment.rules
    trees = {column: experiment.taxonomy[column] for column in rules.columns if column in experiment.taxonomy}
    learned = preserved_rules(
        con, experiment.table, release.table, rules.columns, rules.target,
        taxonomy=trees, accuracy=rules.accuracy, cover=rules.cover,
    )  # fmt: skip
    common = common_class(lab)

    def count_telling(some: tuple[Rule, ...]) -> int:
        return sum(rule.target != common for rule in some)

    of_sa = tree_ratio(lab, release, experiment.qi, experiment.sa, effort)
    return Worth(
        classes=int(classes),
        information=float(information),
        sa_exact=exact_share(lab, release),
        tree_ratio=of_sa,
        class_tree_ratio=(
            of_sa if rules.target == experiment.sa else tree_ratio(lab, release, rules.columns, rules.target, effort)
        ),
        upheld_rules=len(learned.upheld),
        rules=len(learned.preserved),
        telling_rules=count_telling(learned.upheld),
        source_rules=len(learned.source),
        source_telling_rules=count_telling(learned.source),
        errors={int(dims): float(mean) for dims, mean, _ in errors},
        median_errors={int(dims): float(median) for dims, _, median in errors},
    )


def common_class(lab: Laboratory) -> str | None:
    """The class that is so frequent that a rule for it says nothing, if there is one."""
    rules = lab.experiment.rules
    classes = lab.con.execute(
        "SELECT CAST(value AS VARCHAR) FROM buckets($table, $target) WHERE share >= $accuracy",
        {"table": lab.experiment.table, "target": rules.target, "accuracy": rules.accuracy},
    ).fetchall()
    return str(classes[0][0]) if classes else None


def tree_ratio(lab: Laboratory, release: Release, columns: tuple[str, ...], target: str, effort: Effort) -> float:
    """The accuracy of trees learned from the release over that of trees learned from the source."""
    named = (*columns, target)
    return classification_utility(
        lab.con, lab.experiment.table, release.table, columns, target,
        taxonomy={column: tree for column, tree in lab.experiment.taxonomy.items() if column in named},
        key="id", folds=effort.folds,
    ).ratio  # fmt: skip


def exact_share(lab: Laboratory, release: Release) -> float:
    """The share of rows whose sensitive value is published as it is."""
    shares = exact_shares(lab, release)
    rows = sum(count for count, _ in shares.values())
    return sum(count * share for count, share in shares.values()) / rows if rows else 0.0


def exact_shares(lab: Laboratory, release: Release) -> dict[str, tuple[int, float]]:
    """By sensitive value, most frequent first: its rows, and the share of them that publish it as it is."""
    rows = lab.con.execute(
        f"""
        SELECT CAST(source.value AS VARCHAR), source.n, coalesce(released.n, 0) / source.n
        FROM (SELECT "{lab.experiment.sa}" AS value, count(*) AS n FROM {lab.experiment.table} GROUP BY ALL) AS source
        LEFT JOIN (
            SELECT "{lab.experiment.sa}" AS value, count(*) AS n FROM {release.table} GROUP BY ALL
        ) AS released ON CAST(source.value AS VARCHAR) = CAST(released.value AS VARCHAR)
        ORDER BY source.n DESC, 1
        """
    ).fetchall()
    return {value: (int(n), float(share)) for value, n, share in rows}


def value_errors(lab: Laboratory, release: Release) -> dict[str, float]:
    """By sensitive value, most frequent first: the relative error of counting its rows."""
    experiment = lab.experiment
    lab.con.execute(
        f"""
        CREATE OR REPLACE TABLE questions AS
        SELECT row_number() OVER (ORDER BY n DESC, value) AS query_id, value,
            '"{experiment.sa}" = ''' || replace(CAST(value AS VARCHAR), '''', '''''') || '''' AS predicate
        FROM (SELECT "{experiment.sa}" AS value, count(*) AS n FROM {experiment.table} GROUP BY ALL) AS counted
        """
    )
    answers = lab.con.execute(
        f"""
        SELECT value, relative_error
        FROM count_query_error(
            '{experiment.table}', '{release.table}', {list(experiment.qi)}, '{experiment.sa}',
            predicates := '(SELECT query_id, predicate FROM questions)', taxonomy := {experiment.sql_taxonomy}
        ) JOIN questions USING (query_id) ORDER BY query_id
        """
    ).fetchall()
    return {str(value): float(error) for value, error in answers}


def broken_classes(lab: Laboratory, release: Release, setting: Setting) -> tuple[int, int]:
    """Classes whose most frequent values are together above a bound, and all classes."""
    tau, l = setting
    bound = f"least(1, {tau} + (1 - {tau}) * (rank - 1) / ({l} - 1))"
    experiment = lab.experiment
    classes = ", ".join(f'"{column}"' for column in experiment.qi)
    [(broken, all_classes)] = lab.con.execute(
        f"""
        SELECT count(*) FILTER (broken), count(*)
        FROM (
            SELECT bool_or(cumulative > {bound} + 1e-9) AS broken
            FROM induced_frequencies(
                '{release.table}', {list(experiment.qi)}, '{experiment.sa}',
                taxonomy := {struct(experiment.sensitive_taxonomy)}
            ) GROUP BY {classes}
        )
        """
    ).fetchall()
    return int(broken), int(all_classes)
