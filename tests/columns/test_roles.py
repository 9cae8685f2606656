"""columns: roles on tables of people as they are, judged as a privacy officer would."""

from __future__ import annotations

from pathlib import Path

import pytest
from connections import TestConnection, quote

from .surveys import TABLES

DATA = Path(__file__).parents[2].parent / "shared" / "data"
COLUMNS = 'FROM "columns"'


@pytest.mark.parametrize("table", TABLES)
def test_names_that_many_tables_have_decide_the_role(con: TestConnection, table: str) -> None:
    columns = TABLES[table]
    selected = ", ".join(
        f"{value.replace('h %', f'CAST(hash(31 * i + {number}) // 4 AS BIGINT) %')} AS {quote(name)}"
        for number, (name, (value, _)) in enumerate(columns.items())
    )
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {selected} FROM range(1200) AS numbers(i)")
    answers = con.rows(f"SELECT \"column\", role, reason {COLUMNS}('t')")
    assert {name: role for name, role, _ in answers} == {name: role for name, (_, role) in columns.items()}
    assert max(len(reason) for _, _, reason in answers) <= 120
    assert len({reason for _, _, reason in answers}) >= 0.75 * len(answers)


@pytest.mark.parametrize(
    "name",
    ["page", "usage", "embargo", "racecar", "incomeless", "message", "zipper", "payload", "idea", "customer_tier"],
)
def test_letters_inside_a_word_are_no_word(con: TestConnection, name: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT i % 40 AS {name} FROM range(400) AS numbers(i)")
    assert con.rows(f"SELECT role, starts_with(reason, 'Few whole numbers') {COLUMNS}('t')") == [
        ("quasi-identifier", True)
    ]


@pytest.mark.parametrize(
    "name", ["marital_status", "maritalStatus", "MARITAL-STATUS", "Marital Status", "MaritalStatus2"]
)
def test_a_name_may_be_written_in_any_way(con: TestConnection, name: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT i % 4 AS {quote(name)} FROM range(400) AS numbers(i)")
    assert con.rows(f"SELECT starts_with(reason, 'Marital status') {COLUMNS}('t')") == [(True,)]


ENTITIES = {
    "patient": ("i // 3", True),
    "subjectId": ("i // 3", True),
    "user_uuid": ("md5(CAST(i // 3 AS VARCHAR))", True),
    "code": ("'P-' || (1000 + i // 3)", True),
    "mail": ("'p' || i // 3 || '@example.org'", True),
    "name": ("'Ann' || chr(97 + i // 3 % 26) || ' O' || chr(97 + i // 78)", True),
    "phone": ("'+49 30 ' || (100000 + i // 3)", True),
    "contact": ("'+49 30 ' || (100000 + i // 3)", True),
    "username": ("'user' || i // 3", True),
    "login": ("'ab' || i // 3", True),
    "device_id": ("md5('d' || i // 3)", True),
    "id": ("i", False),
    "ip_address": ("'10.0.' || i // 250 || '.' || i // 3 % 250", False),
    "last_login": ("DATE '2026-01-01' + i // 3", False),
    "visit_id": ("i // 2", False),
    "household_id": ("i // 3", False),
    "first_name": ("'Ann' || chr(97 + i // 3 % 26)", False),
    "age": ("20 + i % 50", False),
    "customer": ("CASE WHEN i % 2 = 0 THEN i END", False),
}


@pytest.mark.parametrize("name", ENTITIES)
def test_an_identifier_of_people_that_repeats_may_be_the_entity(con: TestConnection, name: str) -> None:
    value, entity = ENTITIES[name]
    rows = "(SELECT CAST(j AS INTEGER) AS i FROM range(300) AS r(j)) AS numbers"
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {value} AS {name} FROM {rows}")
    assert con.rows(f"SELECT entity {COLUMNS}('t')") == [(entity,)]


@pytest.mark.parametrize("key, entity", [("i", False), ("i // 2", True), ("CASE WHEN i > 0 THEN i // 2 END", True)])
@pytest.mark.parametrize("shared", ["name", "phone"])
def test_people_who_are_numbered_may_share_a_name_or_a_telephone(
    con: TestConnection, key: str, entity: bool, shared: str
) -> None:
    value = ENTITIES[shared][0]
    rows = "(SELECT CAST(j AS INTEGER) AS i FROM range(300) AS r(j)) AS numbers"
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {key} AS customer_no, {value} AS {shared} FROM {rows}")
    assert con.rows(f"SELECT entity {COLUMNS}('t') WHERE \"column\" = '{shared}'") == [(entity,)]


def roles(con: TestConnection, path: Path) -> dict[str, str]:
    """The roles of the columns of a file."""
    if not path.exists():
        pytest.skip("the data is not here")
    return dict(con.rows(f"SELECT \"column\", role {COLUMNS}('{path}')"))


def test_census_data_has_all_roles_but_identifiers(con: TestConnection) -> None:
    found = roles(con, DATA / "adult.parquet")
    assert {name for name, role in found.items() if role == "other"} == {"fnlwgt"}
    assert {name for name, role in found.items() if role == "sensitive"} == {
        "capital-gain",
        "capital-loss",
        "salary-class",
    }
    assert "identifier" not in found.values()


@pytest.mark.parametrize("name", ["magic", "musk2", "shuttle"])
def test_technical_measurements_are_no_quasi_identifiers(con: TestConnection, name: str) -> None:
    assert "quasi-identifier" not in roles(con, DATA / "uci" / f"{name}.parquet").values()
