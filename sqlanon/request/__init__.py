"""What a user asked for, checked: the arguments of each function as a frozen value."""

from __future__ import annotations

from .evaluation import EVALUATES, Evaluation, read_evaluation
from .release import Release, read_request
from .verification import VERIFIES, Verification, read_verification

__all__ = [
    "EVALUATES",
    "VERIFIES",
    "Evaluation",
    "Release",
    "Verification",
    "read_evaluation",
    "read_request",
    "read_verification",
]
