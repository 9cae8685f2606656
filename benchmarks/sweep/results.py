"""All that is measured in one experiment, requirement by requirement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.queries import identifier, literal

from .data import Experiment, Setting
from .measures import Effort, Worth, broken_classes, exact_shares, measure, value_errors
from .methods import CLD, METHODS, ONE_D, ROUNDING, SWEEP, Choice, Laboratory, Release


@dataclass(frozen=True)
class Outcome:
    """The choice of a method for a requirement, and its worth; None where there is no release."""

    choice: Choice
    worth: Worth | None


@dataclass(frozen=True)
class Candidates:
    """The releases of 1DLD and CLD that satisfy the weakest requirement: excessive protection and information."""

    excess: tuple[float, ...]
    information: tuple[float, ...]


@dataclass(frozen=True)
class Violation:
    """The best release of a method for a requirement that it cannot meet: broken classes, and all classes."""

    method: str
    label: str
    setting: Setting
    broken: int
    classes: int


@dataclass(frozen=True)
class Results:
    """One experiment. By requirement: outcomes of each method, and for SWEEP by sensitive value, most frequent first,
    the error of its count, and the share of its rows that publish it as it is.
    """

    experiment: Experiment
    rows: int
    outcomes: Mapping[Setting, Mapping[str, Outcome]]
    candidates: Candidates
    violations: tuple[Violation, ...]
    count_errors: Mapping[Setting, Mapping[str, float]]
    exact: Mapping[Setting, Mapping[str, tuple[int, float]]]
    impossible: tuple[Setting, ...]
    """Requirements that the table as one class does not satisfy: so sensitive values must be generalized."""

    def series(self, method: str, value: Callable[[Outcome], float | None]) -> list[float | None]:
        """A value for each requirement."""
        return [value(by_method[method]) for by_method in self.outcomes.values()]


def excess(outcome: Outcome) -> float | None:
    """The excessive protection."""
    return outcome.choice.excess


def seconds(outcome: Outcome) -> float | None:
    """The time of the search; None where it finds nothing."""
    return None if outcome.choice.release is None else outcome.choice.search_seconds


def worth(name: str) -> Callable[[Outcome], float | None]:
    """One of the measures of a release."""
    return lambda outcome: None if outcome.worth is None else float(getattr(outcome.worth, name))


def run(lab: Laboratory, effort: Effort) -> Results:
    """Search, measure, and ask what the statements of the paper need."""
    experiment = lab.experiment
    choices = {setting: lab.choices(setting) for setting in experiment.settings}
    known: dict[int, Worth] = {}
    outcomes = {
        setting: {
            method: Outcome(choice, find_worth(lab, choice.release, effort, known)) for method, choice in each.items()
        }
        for setting, each in choices.items()
    }
    published = {setting: each[SWEEP].release for setting, each in choices.items()}
    sweeps = {setting: release for setting, release in published.items() if release is not None}
    [(rows,)] = lab.con.execute(f"SELECT count(*) FROM {experiment.table}").fetchall()
    return Results(
        experiment=experiment,
        rows=int(rows),
        outcomes=outcomes,
        candidates=candidates(lab),
        violations=tuple(violations(lab, choices)),
        count_errors={setting: value_errors(lab, release) for setting, release in sweeps.items()},
        exact={setting: exact_shares(lab, release) for setting, release in sweeps.items()},
        impossible=tuple(setting for setting in experiment.settings if not holds_as_one_class(lab, setting)),
    )


def find_worth(lab: Laboratory, release: Release | None, effort: Effort, known: dict[int, Worth]) -> Worth | None:
    """The worth of a release, measured once."""
    if release is None:
        return None
    if release.fingerprint not in known:
        known[release.fingerprint] = measure(lab, release, effort)
    return known[release.fingerprint]


def candidates(lab: Laboratory) -> Candidates:
    """All releases of the comparators that satisfy the weakest requirement."""
    experiment, pairs = lab.experiment, []
    for release in lab.distinct_releases(ONE_D, CLD):
        protection = lab.excess(release, experiment.settings[0])
        if protection is not None:
            [information] = experiment.read_loss(lab.con, release.table, "information")
            pairs.append((protection, float(information)))
    return Candidates(tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))


def violations(lab: Laboratory, choices: Mapping[Setting, Mapping[str, Choice]]) -> list[Violation]:
    """For the strongest requirement: the release of each comparator with the smallest share of broken classes."""
    setting = list(choices)[-1]
    worst = []
    for method in METHODS[1:]:
        if choices[setting][method].release is None and (releases := lab.distinct_releases(method)):
            each = ((release.label, *broken_classes(lab, release, setting)) for release in releases)
            label, broken, classes = min(each, key=lambda release: release[1] / release[2])
            worst.append(Violation(method, label, setting, broken, classes))
    return worst


def holds_as_one_class(lab: Laboratory, setting: Setting) -> bool:
    """Whether the table satisfies a requirement when all quasi-identifiers are gone."""
    tau, l = setting
    sa = lab.experiment.sa
    table = literal(f"(SELECT 'everybody' AS everybody, {identifier(sa)} FROM {lab.experiment.table})")
    [(reached,)] = lab.con.execute(f"FROM tau_privacy({table}, ['everybody'], {literal(sa)}, {l})").fetchall()
    return reached is not None and reached <= tau + ROUNDING
