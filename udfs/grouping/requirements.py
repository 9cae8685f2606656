"""What a kernel is asked for, from the parameters of a model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sqlanon.release.models import Model, Parameters

from ..kernels.requirement.requirement import Requirement


def kernel_arguments(model: Model, parameters: Parameters) -> tuple[Any, ...]:
    """What a kernel takes after the rows: the parameters of its model or, for any bounds, their requirement."""
    return (requirement_of(parameters),) if model.any_bounds else tuple(parameters.values())


def requirement_of(parameters: Parameters) -> Requirement:
    """The requirement of a class, from bounds by name. With c, l says from which rank on values count."""
    bound = {name: float(value) for name, value in parameters.items()}
    recursive = "c" in bound
    return Requirement(
        size=int(bound.get("k", 1)),
        frequency=1.0 if recursive else bound.get("l", 1.0),
        ranks=int(bound["l"]) if recursive else 1,
        c=bound.get("c", np.inf),
        distinct=math.ceil(bound.get("distinct_l", 1)),
        entropy=bound.get("entropy_l", 1.0),
        t=bound.get("t", 1.0),
        beta=bound.get("beta", np.inf),
        delta=bound.get("delta", np.inf),
    )


def requirement_of_people(parameters: Parameters) -> Requirement:
    """The same of those bounds that are about people as well as rows: k, l and c."""
    requirement = requirement_of(parameters)
    return Requirement(requirement.size, requirement.frequency, requirement.ranks, requirement.c)
