"""The role of every column.

>>> read_columns({"name": "identifier", "zip": {"role": "quasi-identifier", "taxonomy": "zip.csv"}})
({'name': 'identifier', 'zip': 'quasi-identifier'}, {'zip': 'zip.csv'})
>>> read_identifying({"mrn": {"role": "keep", "identifies": True}, "ward": "keep"})
('mrn',)
>>> read_types({"age": {"role": "quasi-identifier", "type": "integer"}, "ward": "keep"})
{'age': 'integer'}
"""

from __future__ import annotations

from collections.abc import Mapping

from ..arguments import choice, flag, fold, text
from ..errors import InvalidParameter, WrongColumn
from ..publishing.column_types import KINDS
from .keys import known_keys, suggest_closest

ROLES = ("identifier", "quasi-identifier", "sensitive", "keep", "drop")
IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE, KEEP, DROP = ROLES

Roles = dict[str, str]
Trees = dict[str, str]


def read_columns(columns: Mapping[str, object]) -> tuple[Roles, Trees]:
    """The role of each column, and the taxonomies of those that have one."""
    roles: Roles = {}
    trees: Trees = {}
    for column, value in columns.items():
        text("a name in [columns]", column)
        described = value if isinstance(value, Mapping) else {"role": value}
        known_keys(f"column {column!r} in [columns]", described, ("role", "taxonomy", "identifies", "type"))
        roles[column] = read_role(column, described.get("role"))
        if "taxonomy" in described:
            trees[column] = text(f"the taxonomy of column {column!r}", described["taxonomy"])
            if roles[column] not in (QUASI_IDENTIFIER, SENSITIVE):
                raise InvalidParameter(
                    f"column {column!r} has a taxonomy, which its role has no use for.", "Leave it out."
                )
    folded = [fold(column) for column in roles]
    for column in roles:
        if folded.count(fold(column)) > 1:
            raise WrongColumn(f"[columns] names column {column!r} twice.", "Column names differ by more than case.")
    return roles, trees


def read_identifying(columns: Mapping[str, object]) -> tuple[str, ...]:
    """The columns of which the policy says that they lead to people, and are published all the same."""
    names = []
    for column, described in columns.items():
        if isinstance(described, Mapping) and "identifies" in described:
            if described.get("role") != KEEP:
                raise InvalidParameter(f'column {column!r} in [columns]: identifies goes with role = "keep".')
            if flag(f"identifies of column {column!r}", described["identifies"]):
                names.append(column)
    return tuple(names)


def read_types(columns: Mapping[str, object]) -> dict[str, str]:
    """The words for the types of the columns that have one."""
    stated = {
        column: described["type"]
        for column, described in columns.items()
        if isinstance(described, Mapping) and "type" in described
    }
    return {column: choice(f"type of column {column!r}", word, tuple(KINDS)) for column, word in stated.items()}


def read_role(column: str, role: object) -> str:
    """One of the roles."""
    if not isinstance(role, str) or role not in ROLES:
        shown = repr(role) if isinstance(role, str) else "what is there"
        hint = suggest_closest(role if isinstance(role, str) else "", ROLES)
        raise InvalidParameter(f"column {column!r} in [columns]: {shown} is no role.", hint)
    return role
