"""A small table and releases of it, for the tests of certificates."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from connections import TestConnection

QI = ["age", "zip"]
ARGUMENTS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "generalized": ("ldiverse", {"l": 3, "taxonomy": {"zip": "zips"}}),
    "typed": ("ldiverse", {"l": 3, "format": "typed", "taxonomy": {"zip": "zips"}}),
    "anonymous": ("kanonymous", {"k": 4, "algo": "topdown", "seed": 987654321}),
    "anatomized": ("ldiverse", {"l": 3, "algo": "anatomy", "seed": 987654321}),
    "listed": ("ldiverse", {"l": 3, "algo": "anatomy", "format": "typed"}),
    "recursive": ("ldiverse", {"l": 2, "algo": "incognito", "options": {"c": 2.5}}),
    "swept": ("taudiverse", {"tau": 0.5, "l": 3, "taxonomy": {"disease": "diseases"}, "format": "typed"}),
    "combined": ("anonymize", {"k": 4, "l": 2.4, "t": 0.6, "entropy_l": 2, "seed": 987654321}),
    "combined_people": ("anonymize", {"k": 3, "l": 1.5, "distinct_l": 2, "beta": 9, "entity": "person"}),
    "people": ("kanonymous", {"k": 3, "entity": "person"}),
}
"""The releases: the function that makes each, and its arguments."""


def make(con: TestConnection, *releases: str) -> None:
    """Make the source, its taxonomies and these releases."""
    con.execute(
        """
        CREATE TABLE patients AS SELECT
            20 + i * 7 % 31 AS age, 'z' || i % 7 AS zip, 'd' || i % 5 AS disease, i // 2 AS person, i % 4 AS pay
        FROM range(40) AS r(i);
        CREATE TABLE zips AS SELECT DISTINCT zip, 'Z' AS every FROM patients;
        CREATE TABLE diseases AS
            SELECT DISTINCT disease, CASE WHEN disease < 'd2' THEN 'A' ELSE 'B' END AS kind, '*' AS every FROM patients;
        """
    )
    for name in releases:
        function, arguments = ARGUMENTS[name]
        written = ", ".join(f"{argument} := {literal(value)}" for argument, value in arguments.items())
        sa = "" if function == "kanonymous" else "sa := 'disease', "
        con.execute(f"CREATE TABLE {name} AS FROM {function}('patients', {literal(QI)}, {sa}{written})")


def sensitive(name: str) -> str | None:
    """The sensitive attribute of a release."""
    return None if ARGUMENTS[name][0] == "kanonymous" else "disease"


def call(name: str) -> dict[str, Any]:
    """The arguments of the Python function that certifies a release, as it was made."""
    function, arguments = ARGUMENTS[name]
    return {"qi": QI, "sa": sensitive(name), "function": function, "arguments": copy.deepcopy(arguments)}


def certify_sql(rel: str, **arguments: object) -> str:
    """A call of the SQL function."""
    written = "".join(f", {name} := {literal(value)}" for name, value in arguments.items())
    return f"certify({literal(rel)}{written})"


def literal(value: object) -> str:
    """A value of Python in SQL."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(key)}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else str(value)
