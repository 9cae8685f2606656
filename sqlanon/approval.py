"""The facts by which somebody approves a release: the record of a policy, and the policy's hash.

>>> record = read_record({"purpose": "Planning of beds", "review_on": "2027-05-01"})
>>> record.purpose, record.review_on, record.made_by
('Planning of beds', '2027-05-01', '')
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, fields

from .arguments import type_name
from .errors import InvalidParameter


@dataclass(frozen=True)
class ApprovalRecord:
    """Why a release is made, for whom, and who answers for it. What is empty was not said.

    `policy_hash` is the SHA-256 of the policy's file.
    """

    purpose: str = ""
    recipients: str = ""
    why_quasi_identifiers: str = ""
    why_bounds: str = ""
    made_by: str = ""
    approved_by: str = ""
    review_on: str = ""
    policy_hash: str = ""


RECORD_KEYS = tuple(field.name for field in fields(ApprovalRecord) if field.name != "policy_hash")
"""The keys of the table [record] of a policy."""


def read_record(table: Mapping[str, object], policy_hash: str = "") -> ApprovalRecord:
    """The record of a policy; its keys are known."""
    texts = {name: read_text(name, value) for name, value in table.items() if name != "review_on"}
    return ApprovalRecord(**texts, review_on=read_date(table.get("review_on", "")), policy_hash=policy_hash)


def read_text(name: str, value: object) -> str:
    """A text, which may be empty."""
    if not isinstance(value, str):
        raise InvalidParameter(f"record.{name} must be text, not {type_name(value)}.", 'Leave it out, or write "".')
    return value.strip()


def read_date(value: object) -> str:
    """A day as 2027-05-01, written as a date or as a text; or nothing."""
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value.isoformat()
    written = read_text("review_on", value)
    if not written:
        return ""
    try:
        return dt.datetime.strptime(written, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise InvalidParameter("record.review_on is not a day.", "Write it as 2027-05-01.") from None
