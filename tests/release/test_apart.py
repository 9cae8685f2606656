"""Several sensitive attributes, and people with several rows: what differs in a group, what becomes of the rest."""

from __future__ import annotations

import logging
from pathlib import Path

import duckdb
import numpy as np
import pytest
from connections import TestConnection
from sqlanon.udfs.grouping import partition

STAYS = """
    CREATE TABLE stays AS
    SELECT
        i % 90 AS person, 20 + i * 7 % 61 AS age, 'z' || i % 4 AS zip,
        'd' || i % 7 AS disease, 'w' || i * 5 % 11 AS ward
    FROM range(300) AS numbers(i)
"""
BSGI = "ldiverse('stays', ['age', 'zip'], {sa}, 3, algo := 'bsgi', seed := 0, {more})"


@pytest.fixture(autouse=True)
def stays(con: TestConnection, scratch: None) -> None:
    con.execute(STAYS)


def rows(con: TestConnection, sql: str) -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


def bsgi(sa: object = "disease", more: str = "keep := []") -> str:
    return BSGI.format(sa=repr(sa), more=more)


def test_rows_of_a_group_differ_in_every_sensitive_attribute(con: TestConnection) -> None:
    con.execute(f"CREATE TABLE release AS FROM {bsgi(['disease', 'ward'])}")
    columns = [name for (name,) in rows(con, "SELECT column_name FROM (DESCRIBE release)")]
    assert columns == ["group_id", "age", "zip", "disease", "ward"]
    twice = "SELECT group_id FROM release GROUP BY group_id HAVING count(DISTINCT {}) < count(*) OR count(*) < 3"
    assert rows(con, twice.format("disease")) == rows(con, twice.format("ward")) == []
    assert rows(con, "SELECT count(*) >= 290 FROM release") == [(True,)]


def test_each_of_several_sensitive_attributes_is_listed_by_itself(con: TestConnection) -> None:
    con.execute(f"CREATE TABLE release AS FROM {bsgi(['disease', 'ward'], 'recode := $$none$$, format := $$typed$$')}")
    assert rows(con, "SELECT typeof(disease), typeof(ward) FROM release LIMIT 1") == [("VARCHAR[]", "VARCHAR[]")]
    sorted_lists = "SELECT count(*) FROM release WHERE disease <> list_sort(disease) OR ward <> list_sort(ward)"
    assert rows(con, sorted_lists) == [(0,)]
    texts = rows(con, f"SELECT DISTINCT disease[1], disease[-1] FROM {bsgi(['disease', 'ward'], 'recode := $$none$$')}")
    assert texts == [("{", "}")]


def test_every_sensitive_attribute_must_be_eligible(con: TestConnection) -> None:
    con.execute("ALTER TABLE stays ADD COLUMN mostly INTEGER")
    con.execute("UPDATE stays SET mostly = CASE WHEN age < 60 THEN 1 ELSE age END")
    with pytest.raises(duckdb.Error, match=r"\[SA201\] one sensitive value is in .* The largest l is 1"):
        rows(con, f"FROM {bsgi(['disease', 'mostly'])}")


def test_a_person_is_in_a_group_once_and_is_not_published(con: TestConnection) -> None:
    con.execute("UPDATE stays SET age = person, zip = 'same'")  # all rows of a person are alike
    con.execute(
        f"CREATE TABLE release AS FROM {bsgi(more='options := {$$individual$$: $$person$$}, recode := $$none$$')}"
    )
    assert [name for (name,) in rows(con, "SELECT column_name FROM (DESCRIBE release)")] == [
        "group_id",
        "age",
        "zip",
        "disease",
    ]
    assert rows(con, "SELECT group_id FROM release GROUP BY group_id HAVING count(DISTINCT age) < count(*)") == []
    con.execute(f"CREATE TABLE careless AS FROM {bsgi(more='recode := $$none$$')}")
    assert rows(con, "SELECT group_id FROM careless GROUP BY group_id HAVING count(DISTINCT age) < count(*)") != []


def test_rows_without_a_person_are_taken_for_one(con: TestConnection) -> None:
    con.execute(
        "UPDATE stays SET person = NULL WHERE person < 10; UPDATE stays SET age = coalesce(person, -1), zip = 'same'"
    )
    con.execute(
        f"CREATE TABLE release AS FROM {bsgi(more='options := {$$individual$$: $$person$$}, recode := $$none$$')}"
    )
    assert rows(con, "SELECT group_id FROM release GROUP BY group_id HAVING count(DISTINCT age) < count(*)") == []


def test_rows_that_fit_nowhere_are_left_out_counted_and_told(
    con: TestConnection, caplog: pytest.LogCaptureFixture
) -> None:
    con.execute("CREATE TABLE few AS SELECT least(i, 4) AS person, i AS age, i % 4 AS disease FROM range(12) AS r(i)")
    with caplog.at_level(logging.WARNING, logger="sqlanon"):
        con.execute("""
            CREATE TABLE release AS
            FROM ldiverse('few', ['age'], 'disease', 2, algo := 'bsgi', options := {'individual': 'person'})
        """)
    ((published,),) = rows(con, "SELECT count(*) FROM release")
    assert 0 < published < 12, "eight of twelve rows are one person's"
    assert f"{12 - published} of 12 rows fit in no group and are not published" in caplog.text
    assert rows(con, "SELECT suppressed_rows FROM info_loss('few', 'release', ['age'])") == [(12 - published,)]


@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("recode", ["generalize", "suppress", "none"])
def test_nothing_of_a_row_left_out_is_in_a_file(con: TestConnection, tmp_path: Path, recode: str, format: str) -> None:
    con.execute("""
        CREATE TYPE note AS ENUM (SELECT 'note of ' || i FROM range(100, 112) AS r(i));
        CREATE TABLE few AS
        SELECT least(i, 4) AS person, i AS age, 'street of ' || (i + 100) AS street, 'd' || i % 4 AS disease,
            ('note of ' || (i + 100))::note AS note
        FROM range(12) AS r(i)
    """)
    con.execute(f"""
        CREATE TABLE release AS
        FROM ldiverse('few', ['age', 'street'], 'disease', 2, algo := 'bsgi', options := {{'individual': 'person'}},
            recode := '{recode}', format := '{format}', keep := ['note'])
    """)
    con.execute(f"COPY release TO '{tmp_path}/release.parquet' (COMPRESSION uncompressed)")
    con.execute(f"ATTACH '{tmp_path}/release.duckdb' AS file; CREATE TABLE file.release AS FROM release; DETACH file")
    left_out = rows(con, "SELECT note::VARCHAR FROM few WHERE NOT note IN (SELECT note FROM release)")
    assert left_out
    for file in tmp_path.iterdir():
        written = file.read_bytes()
        for (note,) in left_out:
            assert str(note).encode() not in written
            assert str(note).replace("note", "street").encode() not in written


def test_where_no_group_is_possible_nothing_is_published(con: TestConnection) -> None:
    con.execute("CREATE TABLE alone AS SELECT 1 AS person, i AS age, i % 4 AS disease FROM range(12) AS r(i)")
    call = "ldiverse('alone', ['age'], 'disease', 2, algo := 'bsgi', entity := 'person', recode := '{}')"
    with pytest.raises(duckdb.Error, match=r"\[SA202\] the table has 1 person; l = 2 needs at least 2"):
        rows(con, f"FROM {call.format('generalize')}")
    with pytest.raises(duckdb.Error, match=r"\[SA201\] no group could be formed from 12 rows"):
        rows(con, f"FROM {call.format('none')}")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (bsgi(more="options := {'individual': 'nobody'}"), r"\[SA101\] there is no column 'nobody' in tbl"),
        (bsgi(more="options := {'individual': 'age'}"), r"\[SA101\] column 'age' is given in both qi and entity"),
        (bsgi(more="options := {'individual': 3}"), r"\[SA102\] options.individual must be text, not a int"),
        (bsgi(more="options := {'exact': 'yes'}"), r"\[SA102\] options.exact must be true or false, not text"),
        (bsgi(more="options := {'exactly': true}"), r"\[SA102\] options: 'exactly' is not .* takes: exact, individual"),
        (bsgi(["disease", "disease"]), r"\[SA101\] column 'disease' is given twice in sa"),
        (bsgi([]), r"\[SA102\] sa is empty"),
        ("ldiverse('stays', ['age'], ['disease', 'ward'], 3)", r"\[SA102\] sa names 2 columns.*'bsgi'"),
        (
            "ldiverse('stays', ['age'], 'disease', 3, options := {'individual': 'person'})",
            r"\[SA102\] options: 'individual' is not an option of ldiverse with algo 'hilbert'. It takes: none",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(con: TestConnection, call: str, said: str) -> None:
    with pytest.raises(duckdb.Error, match=said):
        rows(con, f"FROM {call}")


def test_options_that_are_null_are_as_good_as_none(con: TestConnection) -> None:
    assert rows(con, f"FROM {bsgi(more='options := {$$exact$$: NULL}')}") == rows(con, f"FROM {bsgi()}")


def in_threes(data: object, l: int, **_: object) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Groups of three rows in canonical order of nothing: whoever comes."""
    return (np.arange(data.sensitive.size, dtype=np.int32) // 3).astype(np.int32)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("table", "call", "said"),
    [
        (
            "SELECT i AS age, i % 3 AS disease, i % 30 AS person, i // 3 AS ward FROM range(90) AS r(i)",
            "['age'], ['disease', 'ward'], 3, algo := 'bsgi'",
            "a sensitive value of 'ward' takes more than 1/3 of the rows of a group",
        ),
    ],
)
def test_a_kernel_that_does_not_keep_them_apart_publishes_nothing(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, table: str, call: str, said: str
) -> None:
    monkeypatch.setattr(partition, "load_kernel", lambda name: in_threes)
    monkeypatch.setattr(partition, "warm_up", lambda *arguments, **options: None)
    con.execute(f"CREATE TABLE t AS {table}")
    with pytest.raises(duckdb.Error, match=rf"\[SA901\] {said}"):
        rows(con, f"FROM ldiverse('t', {call})")
