"""What a user asked for, checked: the arguments of each function as a frozen value."""

from __future__ import annotations

from .estimation import Estimation, read_estimation
from .evaluation import EVALUATES, Evaluation, read_evaluation
from .release import Release, read_request
from .search import SEARCHES, Search, read_search
from .verification import VERIFIES, WITHOUT_SA, Verification, read_verification
from .workload import Workload

__all__ = [
    "EVALUATES",
    "SEARCHES",
    "VERIFIES",
    "WITHOUT_SA",
    "Estimation",
    "Evaluation",
    "Release",
    "Search",
    "Verification",
    "Workload",
    "read_estimation",
    "read_evaluation",
    "read_request",
    "read_search",
    "read_verification",
]
