"""Whatever single field of a certificate is edited, that is noticed, or the field is named as unproven.

An edit that makes another true certificate of the same release (a bound that it keeps as well) is no lie: that one is
what certify says itself. What it says of the call that made the release is named as unproven, even then.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from connections import TestConnection

from sqlanon import errors
from sqlanon.bounds import BOUNDS
from sqlanon.certificate import Certificate, certify, check, checking, unproven

from .tables import QI, make

PAIRS = ["disease", "pay"]
CASES: Mapping[str, tuple[str | None, dict[str, Any], str | list[str] | None]] = {
    "kanonymous": ("kanonymous", {"k": 4, "algo": "mondrian"}, None),
    "a taxonomy": ("ldiverse", {"l": 3, "format": "typed", "taxonomy": {"zip": "zips"}}, "disease"),
    "two attributes": ("ldiverse", {"l": 2, "algo": "bsgi", "keep": ["note"]}, PAIRS),
    "people": ("kanonymous", {"k": 3, "entity": "person"}, None),
    "taudiverse": ("taudiverse", {"tau": 0.5, "l": 3, "taxonomy": {"disease": "diseases"}}, "disease"),
    "lists": ("ldiverse", {"l": 3, "algo": "anatomy", "nulls": "value"}, "disease"),
    "recursive": ("ldiverse", {"l": 2, "algo": "incognito", "options": {"c": 2.5, "suppress": 0.1}}, "disease"),
    "a plain table": (None, {"k": 2, "l": 1, "t": 0.9}, PAIRS),
    "people in a plain table": (None, {"k": 1, "entity": "person"}, "disease"),
}
"""The function of a release, the arguments, and the sensitive attributes."""

Path = tuple[str | int, ...]


@pytest.fixture(scope="module")
def certificates(con: TestConnection) -> dict[str, Certificate]:
    """The releases are tables of these names."""
    make(con)
    con.execute("CREATE OR REPLACE TABLE patients AS SELECT *, 'n' || rowid % 2 AS note FROM patients")
    made = {}
    for name, (function, arguments, sa) in CASES.items():
        con.execute(f'CREATE OR REPLACE TABLE "{name}" AS FROM {source_of(name)}')
        call = arguments if function is None else {"function": function, "arguments": arguments}
        made[name] = certify(
            con.connection,
            f'"{name}"',
            QI if function else ["zip"],
            sa,
            src=None if function is None else "patients",
            **call,
        )
    return made


def source_of(name: str) -> str:
    """The table, or the call, that a release comes from."""
    from .tables import literal

    function, arguments, sa = CASES[name]
    if function is None:
        return "patients"
    written = [literal("patients"), literal(QI), *([literal(sa)] if sa else [])]
    named = [f"{key} := {literal(value)}" for key, value in arguments.items()]
    return f"{function}({', '.join([*written, *named])})"


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every value without parts, and where it is; empty lists and objects, too."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list) and value:
        for i, each in enumerate(value):
            yield from leaves(each, (*path, i))
    else:
        yield path, value


def containers(value: object, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every list and object."""
    if isinstance(value, dict | list):
        yield path, value
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from containers(each, (*path, key))


def other_values(path: Path, value: object) -> Iterator[object]:
    """Other values of the same kind, and of kinds that the field may have."""
    field = path[0]
    if value is None:
        yield from ("zip", "person", 3, 0.25, True)
    elif isinstance(value, bool):
        yield from (not value, None)
    elif isinstance(value, int | float):
        yield from (value + 1, value + 0.001, None, 10**400)
    elif field == "created":
        yield "2020-01-31T12:00:00Z"
    elif isinstance(value, str) and len(value) == 64:
        yield from ("0" * 64, value[::-1])
    elif isinstance(value, str):
        names = (
            "nobody",
            "zip",
            "person",
            "DATE",
            "VARCHAR",
            "kanonymous",
            "taudiverse",
            "hilbert",
            "wildcard",
            "k",
            "l",
        )
        yield from (*names, None)


def edits(plain: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Copies of a certificate with one edit each, and where that is."""
    for path, value in leaves(plain):
        for other in other_values(path, value):
            if other != value or isinstance(other, bool) != isinstance(value, bool):
                yield path, with_value(plain, path, other)
    for path, value in containers(plain):
        for changed in changed_containers(path, value):
            yield path, with_value(plain, path, changed)


def changed_containers(path: Path, value: Any) -> Iterator[object]:
    """A list or object with an item less, or one more."""
    if isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1 :]
        more = [*value[:1], *ADDED.get(str(path[-1]), ["nobody"])]
        for item in more:
            yield [*value, item]
    else:
        for key in value:
            yield {name: each for name, each in value.items() if name != key}
        for key, item in MORE_KEYS.items():
            if key not in value:
                yield {**value, key: item}


MORE_KEYS = {
    **{"nobody": 1, "disease": "0" * 64, "age": "0" * 64, "entity": "person", "k": 2, "l": 2, "tau": 0.5},
    **{"nulls": "wildcard", "algo": "mondrian", "options": {}},
}
BOUND_NAMES = [bound.name for bound in BOUNDS]
ADDED: Mapping[str, list[Any]] = {
    "columns": [{"name": "x", "type": "VARCHAR"}],
    "promised": BOUND_NAMES,
    "broken": [*BOUND_NAMES, "group_id"],
    "unchecked": ["k: it was promised by weights, which are not there", "tau: x", "l: it was promised for people, too"],
    "qi": ["disease", "group_id", "nobody"],
    "sa": ["age", "group_id", "nobody"],
}


def with_value(plain: dict[str, Any], path: Path, value: object) -> dict[str, Any]:
    if not path:
        assert isinstance(value, dict)
        return value
    changed: Any = copy.deepcopy(plain)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


OF_THE_CALL = ("function", "arguments", "taxonomies", "unchecked")
"""Fields that no release can show."""


def line_of(path: Path, plain: Mapping[str, Any]) -> set[str]:
    """The lines that are about a field; of a measure of one of several attributes, with its name."""
    field, *rest = (str(key) for key in path)
    if field == "columns":
        return {"types"}
    if field == "measures" and len(rest) == 2:
        sa = plain["measures"][int(rest[0])]["sa"]
        name = "broken bounds" if rest[1] == "broken" else rest[1]
        return {name, f"{name} of {sa}"}
    if field == "taxonomies":
        return {f"taxonomy of {rest[0]}"} if rest else {"arguments"}
    return {field, *([f"{field} {rest[0]}"] if rest else [])}


def is_true(con: TestConnection, name: str, certificate: Certificate) -> bool:
    """Whether certify says the same of this release, asked for what the certificate says was asked for."""
    function = CASES[name][0]
    trees = {column: {"zip": "zips", "disease": "diseases"}[column] for column in certificate.taxonomies}
    asked: dict[str, Any] = {**certificate.bounds, "entity": certificate.entity}
    if function is not None:
        call = {**certificate.arguments, **({"taxonomy": trees} if trees else {})}
        asked |= {"function": certificate.function, "arguments": call}
    elif trees:
        asked["taxonomy"] = trees
    asked["src"] = "patients" if certificate.source_rows is not None else None
    try:
        again = certify(
            con.connection, f'"{name}"', certificate.qi, list(certificate.sa) or None, nulls=certificate.nulls, **asked
        )
    except errors.SqlanonError:
        return False
    claims = {"version", "created"}
    plain, stated = (json.loads(each.to_json()) for each in (again, certificate))
    return all(plain[key] == stated[key] for key in plain if key not in claims)


@pytest.fixture
def measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The release is the same for all edits: what was measured by the same statement is not measured again."""
    answers: dict[str, Any] = {}

    def remember(function: Any, key: Any) -> Any:
        def call(con: Any, *arguments: Any) -> Any:
            asked = key(*arguments)
            if asked not in answers:
                answers[asked] = function(con, *arguments)
            return answers[asked]

        return call

    def asked_of(rel: str, one: Certificate, *others: object) -> str:
        return repr((rel, one.qi, one.sa, one.entity, one.nulls, one.bounds, one.promised, one.taxonomies, others))

    monkeypatch.setattr(checking, "run", remember(checking.run, lambda tree: tree.sql("duckdb")))
    monkeypatch.setattr(checking, "certify_again", remember(checking.certify_again, asked_of))


@pytest.mark.usefixtures("measured_once")
@pytest.mark.parametrize("name", CASES)
def test_every_edit_is_noticed_or_named_unproven(
    con: TestConnection, certificates: Mapping[str, Certificate], name: str
) -> None:
    plain = json.loads(certificates[name].to_json())
    unnoticed = []
    seen = read = 0
    for path, edited in edits(plain):
        seen += 1
        try:
            certificate = Certificate.from_json(json.dumps(edited))
        except errors.BadCertificate:
            continue
        if certificate == certificates[name]:
            continue
        read += 1
        try:
            lines = check(con.connection, f'"{name}"', certificate)
        except errors.BadCertificate:
            continue
        if any(line.holds is False for line in lines) or line_of(path, plain) & set(unproven(lines)):
            continue
        added = {f"arguments {key}" for key in certificate.arguments if key not in certificates[name].arguments}
        added |= {f"taxonomy of {key}" for key in certificate.taxonomies if key not in certificates[name].taxonomies}
        if added & set(unproven(lines)):
            continue
        if path[0] not in OF_THE_CALL and is_true(con, name, certificate):
            continue
        unnoticed.append((path, edited))
    assert (seen > 200, read > 10) == (True, True)
    assert [path for path, _ in unnoticed] == []
