"""Names that columns of people's tables have: in English, and in surveys, clinics and payrolls that many know."""

from __future__ import annotations

from .identifiers import IDENTIFIERS
from .meaning import Meaning
from .others import OTHERS
from .quasi_identifiers import QUASI_IDENTIFIERS
from .sensitive import SENSITIVE_ATTRIBUTES

__all__ = ["MEANINGS", "Meaning"]

MEANINGS: tuple[Meaning, ...] = (*IDENTIFIERS, *QUASI_IDENTIFIERS, *SENSITIVE_ATTRIBUTES, *OTHERS)
"""All that names can mean."""
