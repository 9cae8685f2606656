"""The registry: every algorithm a release function can run, one line each.

>>> find("l-diversity", "hilbert").kernel
'hilbert.hilbert:l_groups'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from sqlanon.arguments import flag, positive_numbers, share, whole
from sqlanon.errors import InvalidParameter

from .models import find as find_model

MOST_EFFORT = 10

OPTIONS: dict[str, Callable[[str, object], object]] = {
    "exact": flag,
    "suppress": share,
    "effort": lambda argument, value: whole(argument, value, 1, MOST_EFFORT),
    "weights": positive_numbers,
}
"""The options that kernels take, and how the value of each is read."""


class Publishes(Enum):
    """The part of a release that decides on its cells."""

    EXTENTS = "the extent of a row's group"
    LEVELS = "a level of the taxonomy that the algorithm chose"
    SENSITIVE_LEVELS = "the same, for sensitive attributes too"


@dataclass(frozen=True)
class Algorithm:
    """`model` is what it groups for; `kernel` is module:function below `sqlanon.udfs.kernels`, imported when it runs.

    It is called with the rows in codes, the parameters of the model (for any bounds: a requirement) and, by name, what
    it `takes` beside them: the seed, the recode, options of its own. One that is `apart` can keep rows of one person,
    and of one value in any of several sensitive attributes, out of each other's groups, and leaves rows that fit in no
    group out of the release. One for `pairs` works for l = 2 and two sensitive values only, in up to that many pairs.
    One that publishes levels has a taxonomy for every column: where the user gives none, it is made, with `bins` for a
    column of numbers. `learns`: an option names the column that a classifier would learn. `several`: it protects
    several sensitive attributes, each by itself.
    """

    model: str
    name: str
    kernel: str
    recode: str = "generalize"
    takes: tuple[str, ...] = ()
    apart: bool = False
    pairs: int = 0
    publishes: Publishes = Publishes.EXTENTS
    bins: int = 0
    learns: bool = False
    several: bool = False

    @property
    def function(self) -> str:
        """The release function that runs it."""
        return find_model(self.model).function

    @property
    def protects_several(self) -> bool:
        """Whether it protects several sensitive attributes at once."""
        return self.several or self.apart or self.publishes is Publishes.SENSITIVE_LEVELS

    @property
    def options(self) -> tuple[str, ...]:
        """The keys that the argument options may have."""
        others = {
            "individual": self.apart,
            "class": self.learns,
            "bins": self.publishes is not Publishes.EXTENTS,
            "weights": self.publishes is Publishes.SENSITIVE_LEVELS,  # of sensitive values, not of columns
        }
        return (*(name for name in self.takes if name in OPTIONS), *(name for name, taken in others.items() if taken))


BINS = 16
"""Of a column of numbers that has no taxonomy, in full-domain recoding."""


def _incognito(model: str, kernel: str, several: bool = False) -> Algorithm:
    return Algorithm(
        model, "incognito", kernel, takes=("suppress",), publishes=Publishes.LEVELS, bins=BINS, several=several
    )


def _refined(model: str, kernel: str, apart: bool = False, several: bool = False) -> Algorithm:
    takes = ("seed", "recode", "effort", "weights")
    return Algorithm(model, "refined", kernel, takes=takes, apart=apart, several=several)


def _tds(model: str, kernel: str) -> Algorithm:
    return Algorithm(model, "tds", kernel, publishes=Publishes.LEVELS, bins=BINS, learns=True)


ALGORITHMS = (
    Algorithm("k-anonymity", "hilbert", "hilbert.hilbert:k_groups"),
    Algorithm("k-anonymity", "hilbert_fast", "hilbert.hilbert:k_groups_fast"),
    Algorithm("k-anonymity", "idistance", "idistance.idistance:k_groups", takes=("seed",)),
    Algorithm("k-anonymity", "idistance_fast", "idistance.idistance:k_groups_fast", takes=("seed",)),
    Algorithm("k-anonymity", "mondrian", "halving.mondrian:k_groups"),
    Algorithm("k-anonymity", "topdown", "halving.topdown:k_groups", takes=("seed",)),
    _refined("k-anonymity", "refined.refined:k_groups"),
    _incognito("k-anonymity", "lattice.incognito:k_groups"),
    Algorithm("l-diversity", "hilbert", "hilbert.hilbert:l_groups"),
    Algorithm("l-diversity", "idistance", "idistance.idistance:l_groups", takes=("seed",)),
    Algorithm("l-diversity", "mondrian", "halving.mondrian:l_groups"),
    Algorithm("l-diversity", "anatomy", "anatomy:l_groups", recode="none", takes=("seed",)),
    Algorithm("l-diversity", "bsgi", "bsgi.bsgi:l_groups", takes=("seed", "exact"), apart=True),
    Algorithm("l-diversity", "tp", "tp.tp:l_groups", recode="suppress"),
    Algorithm("l-diversity", "tp_plus", "tp.plus:l_groups", recode="suppress"),
    Algorithm("l-diversity", "matching", "matching:l_groups", takes=("recode",), pairs=10_000),
    _refined("l-diversity", "refined.refined:l_groups", apart=True),
    _incognito("l-diversity", "lattice.incognito:l_groups"),
    _tds("l-diversity", "lattice.tds:l_groups"),
    _incognito("recursive diversity", "lattice.incognito:recursive_groups"),
    _tds("recursive diversity", "lattice.tds:recursive_groups"),
    Algorithm("any bounds", "topdown", "halving.topdown:groups", takes=("seed",), several=True),
    Algorithm("any bounds", "mondrian", "halving.mondrian:groups", several=True),
    _refined("any bounds", "refined.any_bounds:groups", several=True),
    _incognito("any bounds", "lattice.incognito:best_classes", several=True),
    Algorithm("tau-diversity", "sweep", "sweep.sweep:tau_groups", publishes=Publishes.SENSITIVE_LEVELS),
    Algorithm(
        "tau-diversity and k-anonymity", "sweep", "sweep.sweep:tau_k_groups", publishes=Publishes.SENSITIVE_LEVELS
    ),
)


def find(model: str, name: object) -> Algorithm:
    """Return the algorithm of that name for a privacy model; SA102 lists the choices."""
    choices = [algorithm for algorithm in ALGORITHMS if algorithm.model == model]
    for algorithm in choices:
        if algorithm.name == name:
            return algorithm
    raise InvalidParameter.unknown("algo", name, (algorithm.name for algorithm in choices))
