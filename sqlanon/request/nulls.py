"""What a missing quasi-identifier means, in publishing and in checking."""

from __future__ import annotations

NULLS = ("value", "wildcard", "exclude")
