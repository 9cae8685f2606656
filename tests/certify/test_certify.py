"""certify: one row with what a release promises and what holds."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from connections import TestConnection

import sqlanon

from .tables import ARGUMENTS, QI, call, certify_sql, make, sensitive

pytestmark = pytest.mark.oldest


@pytest.fixture(scope="module", autouse=True)
def releases(con: TestConnection) -> None:
    make(con, *ARGUMENTS)


def certify(con: TestConnection, rel: str, **arguments: object) -> dict[str, Any]:
    """The certificate as a row."""
    answer = con.execute(f"FROM {certify_sql(rel, **arguments)}")
    names = [column[0] for column in answer.description]
    (row,) = answer.fetchall()
    return dict(zip(names, row, strict=True))


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_call_of_a_release_function_says_what_was_promised_and_it_holds(con: TestConnection, name: str) -> None:
    row = certify(con, name, **call(name))
    assert (row["holds"], row["broken"]) == (True, [])
    assert row["promised"] == {
        "anonymous": ["k"],
        "people": ["k"],
        "anatomized": ["tau"],
        "listed": ["tau"],
        "recursive": ["c"],
        "swept": ["tau"],
        "combined": ["k", "l", "entropy_l", "t"],
        "combined_people": ["k", "l", "distinct_l", "beta"],
    }.get(name, ["l"])
    assert row["rows"] == 40
    assert [column["name"] for column in row["columns"]] == [
        "group_id",
        *QI,
        *([] if sensitive(name) is None else ["disease"]),
    ]


def test_measures_are_those_of_privacy(con: TestConnection) -> None:
    row = certify(con, "generalized", **call("generalized"), src="patients")
    (measures,) = row["measures"]
    answer = con.execute("FROM privacy('generalized', ['age', 'zip'], 'disease')")
    names = [column[0] for column in answer.description]
    for name, value in zip(names, answer.fetchone(), strict=True):
        assert (row[name] if name in ("rows", "classes") else measures[name]) == value
    assert row["source_rows"] == 40
    assert "loss" not in row, "it would tell of rows that were left out"


def test_the_risk_is_that_of_risk(con: TestConnection) -> None:
    columns = "prosecutor, marketer, unique_people"
    for arguments in ({"qi": QI}, {"qi": ["zip"], "entity": "person"}, {"qi": QI, "nulls": "wildcard"}):
        shared = "".join(f", {name} := '{value}'" for name, value in arguments.items() if name != "qi")
        ((prosecutor, marketer, alone),) = con.rows(
            f"SELECT {columns} FROM risk('patients', {arguments['qi']}{shared})"
        )
        row = certify(con, "patients", **arguments)
        risk = row["people"]["risk"] if "entity" in arguments else row["risk"]
        assert risk == {"prosecutor": prosecutor, "marketer": pytest.approx(marketer), "alone": alone}
    assert alone > 0 and 0 < marketer <= prosecutor
    empty = certify(con, "(FROM generalized WHERE FALSE)", **call("generalized"))["risk"]
    assert empty == {"prosecutor": None, "marketer": None, "alone": 0}


def test_measures_that_need_a_bound_are_there_with_it(con: TestConnection) -> None:
    ((c,),) = con.rows("FROM recursive_c('recursive', ['age', 'zip'], 'disease', 2)")
    assert certify(con, "recursive", **call("recursive"))["measures"][0]["recursive_c"] == c
    ((tau,),) = con.rows("FROM tau_privacy('swept', ['age', 'zip'], 'disease', 3, taxonomy := {'disease': 'diseases'})")
    row = certify(con, "swept", **call("swept"))
    assert row["measures"][0]["tau"] == pytest.approx(tau)
    assert row["measures"][0]["t_hierarchical"] is not None


def test_a_where_around_a_release_is_seen_as_classes_that_are_too_small(con: TestConnection) -> None:
    row = certify(con, "(FROM anonymous WHERE rowid % 3 > 0)", **call("anonymous"))
    assert (row["holds"], row["broken"]) == (False, ["k"])
    assert row["measures"][0]["k"] < 4
    assert row["measures"][0]["broken_classes"] > 0


def test_a_group_that_is_missing_is_seen_as_a_gap(con: TestConnection) -> None:
    row = certify(con, "(FROM anonymous WHERE group_id <> 2)", **call("anonymous"))
    assert (row["holds"], row["broken"]) == (False, ["group_id"])
    renumbered = (
        "(SELECT dense_rank() OVER (ORDER BY group_id) AS group_id, age, zip FROM anonymous WHERE group_id <> 2)"
    )
    assert certify(con, renumbered, **call("anonymous"))["holds"] is True, "only the content hash tells"


@pytest.mark.parametrize("group_id", ["NULL", "1.5", "99"])
def test_a_group_id_that_is_no_number_of_a_group_is_seen(con: TestConnection, group_id: str) -> None:
    broken = f'(SELECT * FROM anonymous UNION ALL BY NAME SELECT {group_id} AS "GROUP_ID", age, zip FROM anonymous)'
    assert certify(con, broken, qi=QI, k=4)["broken"] == ["group_id"]


def test_a_table_without_group_id_has_no_groups_to_miss(con: TestConnection) -> None:
    row = certify(con, "(SELECT age, zip FROM anonymous)", qi=QI, k=4)
    assert (row["groups"], row["holds"]) == (None, True)


def test_several_sensitive_attributes_have_measures_of_their_own(con: TestConnection) -> None:
    row = certify(con, "patients", qi=["zip"], sa=["disease", "pay"], k=2, l=3)
    assert [each["sa"] for each in row["measures"]] == ["disease", "pay"]
    for each in row["measures"]:
        ((frequency_l,),) = con.rows(f"SELECT frequency_l FROM privacy('patients', ['zip'], '{each['sa']}')")
        assert each["frequency_l"] == frequency_l
        assert each["broken"] == (["l"] if frequency_l < 3 else [])
    assert row["broken"] == ["l"]


def test_without_a_bound_nothing_is_promised(con: TestConnection) -> None:
    row = certify(con, "anonymous", qi=QI)
    assert (row["holds"], row["promised"], row["measures"][0]["k"] >= 4) == (None, [], True)


def test_an_empty_table_has_no_measures(con: TestConnection) -> None:
    row = certify(con, "(FROM generalized WHERE FALSE)", **call("generalized"))
    assert (row["rows"], row["classes"], row["groups"], row["holds"]) == (0, 0, 0, True)
    assert row["measures"][0]["k"] is None


def test_a_seed_and_names_of_tables_are_not_in_it(con: TestConnection) -> None:
    for name in ("anonymous", "anatomized"):
        function, arguments = ARGUMENTS[name]
        made = {**call(name), "arguments": {**arguments, "tbl": "patients", "nulls": "value"}}
        row = certify(con, name, **made)
        written = str(row)
        assert "987654321" not in written and "patients" not in written and "seed" not in written
        assert json.loads(row["arguments"])["algo"] == arguments["algo"]
        assert row["function"] == function


def test_a_promise_for_people_is_told_to_be_unchecked(con: TestConnection) -> None:
    (reason,) = certify(con, "people", **call("people"))["unchecked"]
    assert reason.startswith("k: it was promised for people")
    assert certify(con, "anonymous", **call("anonymous"))["unchecked"] == []


def test_of_several_bounds_those_that_people_were_counted_for_are_unchecked(con: TestConnection) -> None:
    reasons = certify(con, "combined_people", **call("combined_people"))["unchecked"]
    assert [reason.partition(": it was promised for people")[0] for reason in reasons] == ["k", "l"]


def test_labels_of_bins_in_text_are_told_to_be_unchecked(con: TestConnection) -> None:
    """The release is fine, and nobody can tell from it."""
    pay = "CASE WHEN rowid % 3 > 0 THEN 1 ELSE person END"
    con.execute(f"CREATE TABLE skewed AS SELECT * REPLACE ({pay} AS pay) FROM patients")
    for format, holds in (("text", None), ("typed", True)):
        options = f"options := {{'bins': 2}}, format := '{format}'"
        con.execute(f"CREATE OR REPLACE TABLE binned AS FROM taudiverse('skewed', ['age'], 'pay', 0.5, 3, {options})")
        made = {"tau": 0.5, "l": 3, "options": {"bins": 2}, "format": format}
        row = certify(con, "binned", qi=["age"], sa="pay", function="taudiverse", arguments=made)
        assert (row["holds"], row["broken"], len(row["unchecked"])) == (holds, [], 0 if holds else 1)


def test_a_random_release_is_read_once(con: TestConnection) -> None:
    drawn = "(SELECT i AS age, 1 - i AS pay FROM range(4000) AS r(i) WHERE random() < 0.5)"
    row = certify(con, drawn, qi=["age"], sa=["pay"], k=2, src="(SELECT unnest(range(4000)) AS age)")
    rows = {row["rows"], row["classes"], row["measures"][0]["broken_classes"]}
    assert len(rows) == 1


def test_values_of_an_enum_are_not_in_the_types(con: TestConnection) -> None:
    row = certify(
        con, "(SELECT CAST('a' AS ENUM('a', 'it''s), b')) AS age, {'x': CAST('a' AS ENUM('a'))} AS y)", qi=["age"]
    )
    assert [column["type"] for column in row["columns"]] == ["ENUM", "STRUCT(x ENUM)"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("{'a': CAST('x' AS ENUM('x', 'y')), 'b': 1}", "STRUCT(a ENUM, b INTEGER)"),
        ("{'a': CAST('x' AS ENUM('x')), 'b': CAST('z' AS ENUM('z'))}", "STRUCT(a ENUM, b ENUM)"),
        ("MAP{CAST('x' AS ENUM('x')): 'it''s'}", "MAP(ENUM, VARCHAR)"),
        ("[CAST('x' AS ENUM('x', ')'))]", "ENUM[]"),
    ],
)
def test_a_nested_type_is_certified_whole_but_for_those_values(con: TestConnection, value: str, kind: str) -> None:
    row = certify(con, f"(SELECT 1 AS age, {value} AS x)", qi=["age"])
    assert row["columns"][1] == {"name": "x", "type": kind}


def test_the_version_and_the_time_in_utc_are_there(con: TestConnection) -> None:
    con.execute("SET TimeZone = 'Asia/Tokyo'")
    row = certify(con, "anonymous", qi=QI)
    con.execute("RESET TimeZone")
    assert row["version"] == sqlanon.__version__
    assert abs(row["created"] - dt.datetime.now(dt.UTC).replace(tzinfo=None)) < dt.timedelta(minutes=10)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"qi": ["nope"]}, "SA301"),
        ({"qi": []}, "SA102"),
        ({"qi": QI, "k": 0}, "SA102"),
        ({"qi": QI, "l": 2}, "SA102"),
        ({"qi": QI, "sa": "age"}, "SA101"),
        ({"qi": QI, "sa": "group_id", "tau": 0.5}, "SA102"),
        ({"qi": QI, "taxonomy": {"group_id": "zips"}}, "SA101"),
        ({"qi": QI, "taxonomy": {"zip": "(SELECT 1, 2 UNION ALL SELECT 1, 3)"}}, "SA105"),
        ({"qi": QI, "entity": "person"}, "SA301"),
        ({"qi": QI, "function": "randomize"}, "SA102"),
        ({"qi": QI, "function": "kanonymous"}, "SA102"),
        ({"qi": QI, "arguments": {"k": 2}}, "SA102"),
        ({"qi": QI, "function": "kanonymous", "arguments": {"k": 2, "kk": 3}}, "SA102"),
        ({"qi": QI, "function": "kanonymous", "arguments": {"k": 2, "qi": ["age"]}}, "SA102"),
        ({"qi": QI, "function": "kanonymous", "arguments": {"k": 2}, "k": 3}, "SA102"),
        ({"qi": QI, "function": "kanonymous", "arguments": 2}, "SA102"),
        ({"qi": QI, "src": "patients; DROP TABLE patients"}, "SA103"),
    ],
)
def test_wrong_arguments_are_coded_errors(con: TestConnection, arguments: dict[str, object], code: str) -> None:
    assert con.refusal(f"FROM {certify_sql('anonymous', **arguments)}").startswith(f"[{code}]")


def test_a_function_whose_release_has_no_groups_is_not_among_the_choices(con: TestConnection) -> None:
    refused = con.refusal(f"FROM {certify_sql('anonymous', qi=QI, function='randomize', arguments={'l': {'age': 2}})}")
    assert refused.endswith("Choose one of: kanonymous, ldiverse, anonymize, taudiverse.")
