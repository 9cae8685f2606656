"""The registry: every algorithm a release function can run, one line each.

>>> find("ldiverse", "hilbert").kernel
'hilbert:l_groups'
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidParameter


@dataclass(frozen=True)
class Algorithm:
    """`kernel` is module:function below `sqlanon.udfs.kernels`, imported when it first runs.

    It is called with the rows in codes, the parameters of the model and, by name, what it `takes` beside them: the
    seed, the recode, options of its own. One that is `apart` can keep rows of one person, and of one value in any of
    several sensitive attributes, out of each other's groups, and leaves rows that it cannot place out of the release.
    One for `pairs` works for l = 2 and two sensitive values only, in up to that many pairs.
    """

    function: str
    name: str
    kernel: str
    recode: str = "generalize"
    takes: tuple[str, ...] = ()
    apart: bool = False
    pairs: int = 0

    @property
    def options(self) -> tuple[str, ...]:
        """The keys that the argument options may have."""
        taken = tuple(name for name in self.takes if name not in ("seed", "recode"))
        return (*taken, "individual") if self.apart else taken


ALGORITHMS = (
    Algorithm("kanonymous", "hilbert", "hilbert:k_groups"),
    Algorithm("kanonymous", "hilbert_fast", "hilbert:k_groups_fast"),
    Algorithm("kanonymous", "idistance", "idistance:k_groups", takes=("seed",)),
    Algorithm("kanonymous", "idistance_fast", "idistance:k_groups_fast", takes=("seed",)),
    Algorithm("kanonymous", "mondrian", "mondrian:k_groups"),
    Algorithm("kanonymous", "topdown", "topdown:k_groups", takes=("seed",)),
    Algorithm("ldiverse", "hilbert", "hilbert:l_groups"),
    Algorithm("ldiverse", "idistance", "idistance:l_groups", takes=("seed",)),
    Algorithm("ldiverse", "mondrian", "mondrian:l_groups"),
    Algorithm("ldiverse", "anatomy", "anatomy:l_groups", recode="none", takes=("seed",)),
    Algorithm("ldiverse", "bsgi", "bsgi:l_groups", takes=("seed", "exact"), apart=True),
    Algorithm("ldiverse", "tp", "tp:l_groups", recode="suppress"),
    Algorithm("ldiverse", "tp_plus", "tp_plus:l_groups", recode="suppress"),
    Algorithm("ldiverse", "matching", "matching:l_groups", takes=("recode",), pairs=10_000),
)


def find(function: str, name: object) -> Algorithm:
    """Return the algorithm of that name for a release function; SA102 lists the choices."""
    choices = [algorithm for algorithm in ALGORITHMS if algorithm.function == function]
    for algorithm in choices:
        if algorithm.name == name:
            return algorithm
    raise InvalidParameter.unknown("algo", name, (algorithm.name for algorithm in choices))
