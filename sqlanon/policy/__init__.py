"""Policies: one file says what is published of a table, how, where, and what must hold. See docs/policy.md."""

from __future__ import annotations

from .running import Result, run

__all__ = ["Result", "run"]
