"""A reader sees classes, rows that publish the same quasi-identifiers: every promise holds there, for people too."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import privacy as oracle
from sqlanon.udfs.grouping import partition
from thorough import examples

import sqlanon
from sqlanon.release.algorithms import Algorithm

from .calls import ONE_TABLE, release_by

PUBLISHED_TWICE = [(1, "x", "A"), (1, "y", "B"), (1, "x", "B"), (1, "y", "C")]
"""Two groups that hold for l = 2, of which both publish 1: there, everybody has B."""

TYPES = {"id": "INTEGER", "age": "INTEGER", "city": "VARCHAR", "job": "VARCHAR", "person": "INTEGER", "s": "VARCHAR"}
QI = ["age", "city", "job"]
L = 2
C = 3


@pytest.fixture(scope="module", autouse=True)
def jobs(con: TestConnection) -> None:
    """A taxonomy with a label that is also a leaf, and one above a single leaf."""
    con.execute("""
        CREATE TABLE jobs AS FROM (VALUES
            ('nurse', 'nurse', 'care', '*'), ('medic', 'nurse', 'care', '*'), ('cook', 'cook', 'food', '*'),
            ('*', 'clerk', 'office', '*')
        )
    """)


row = st.tuples(
    st.sampled_from([None, 1, 2, 9]),
    st.sampled_from([None, "*", "a", "b"]),
    st.sampled_from([None, "nurse", "medic", "cook", "*"]),
    st.integers(0, 5),
    st.sampled_from("ABCDEF"),
)
calls = st.fixed_dictionaries(
    {
        "algorithm": st.sampled_from([algorithm for algorithm in ONE_TABLE if not algorithm.pairs]),
        "recode": st.sampled_from(["generalize", "suppress", "none"]),
        "format": st.sampled_from(["text", "typed"]),
        "nulls": st.sampled_from(["value", "wildcard", "exclude"]),
        "taxonomy": st.sampled_from(["NULL", "{'job': 'jobs'}"]),
        "columns": st.sampled_from([QI, ["age"], ["city"], ["job"], ["job", "city"]]),
    }
)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(row, min_size=2, max_size=16), calls)
def test_every_class_keeps_the_promise_for_people_and_for_rows(
    con: TestConnection, rows: list[tuple[Any, ...]], call: dict[str, Any]
) -> None:
    algorithm: Algorithm = call["algorithm"]
    by_size = algorithm.function == "kanonymous"
    if algorithm.function != "ldiverse" and call["recode"] == "none":
        return
    con.execute("DROP TABLE IF EXISTS visits")
    store(con, "visits", TYPES, [(number, *one) for number, one in enumerate(rows)])
    columns = call["columns"]
    taxonomy = call["taxonomy"] if "job" in columns else "NULL"
    more = (
        f"recode := '{call['recode']}', format := '{call['format']}', nulls := '{call['nulls']}', "
        f"taxonomy := {taxonomy}, entity := 'person', keep := ['id'], seed := 1"
    )
    if algorithm.publishes.name == "LEVELS":
        more = more.replace(", seed := 1", "")
    try:
        released = release_by(algorithm, "visits", str(columns), 2, ("s", L), more, C)
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {released}")
    except duckdb.Error as error:
        refused = sqlanon.errors.from_duckdb(error)
        assert refused is not None, str(error)
        assert refused.code in ("SA201", "SA202"), str(refused)
        assert not is_eligible(con, columns, algorithm, call["nulls"]), str(refused)
        return
    qi = ["group_id"] if call["recode"] == "none" else columns
    selected = ", ".join(f"release.{name}" for name in qi)
    seen = f"(SELECT {selected}, visits.person, visits.s FROM release JOIN visits USING (id))"
    bounds = "k := 2" if by_size else f"l := {L}" + (f", c := {C}" if algorithm.model == "recursive diversity" else "")
    for entity in ("'person'", "NULL"):
        broken = con.rows(f"FROM violations($${seen}$$, {qi}, 's', {bounds}, entity := {entity})")
        if algorithm.model == "recursive diversity":
            broken = [one for one in broken if "c" in one[-1]]
        assert not broken
    published = con.rows(
        f"SELECT to_json([{', '.join(f'{name}::VARCHAR' for name in qi)}])::VARCHAR, s, person FROM {seen}"
    )
    for by_person in (True, False):
        classes = oracle.classes([oracle.Row((qi_,), s, person) for qi_, s, person in published], by_person=by_person)
        for one in classes:
            if by_size:
                assert one.size >= 2
            elif algorithm.model != "recursive diversity":
                assert one.size >= L * one.top_count
            else:
                assert one.top_count < C * sum(one.heights[L - 1 :])


def is_eligible(con: TestConnection, columns: list[str], algorithm: Algorithm, nulls: str) -> bool:
    """Whether the rows that may be published hold as one class, for people and for rows."""
    wild = " OR ".join(f"coalesce({name}::VARCHAR, '*') = '*'" for name in columns)
    rows = con.rows(f"SELECT s, person FROM visits{f' WHERE NOT ({wild})' if nulls == 'exclude' else ''}")
    for by_person in (True, False):
        for one in oracle.classes([oracle.Row((), s, person) for s, person in rows], by_person=by_person):
            if algorithm.model == "k-anonymity":
                holds = one.size >= 2
            elif algorithm.model != "recursive diversity":
                holds = one.size >= L * one.top_count
            else:
                holds = one.size >= L and one.top_count < C * sum(one.heights[L - 1 :])
            if not holds:
                return False
    return bool(rows)


@pytest.mark.parametrize("algo", ["bsgi", "hilbert", "mondrian", "idistance", "anatomy", "tp", "incognito", "tds"])
@pytest.mark.parametrize("recode", ["generalize", "suppress"])
def test_what_cannot_hold_as_one_class_is_not_eligible(con: TestConnection, algo: str, recode: str) -> None:
    con.execute("DROP TABLE IF EXISTS two")
    store(con, "two", {"q": "INTEGER", "id": "VARCHAR", "s": "VARCHAR"}, PUBLISHED_TWICE)
    assert con.rows("SELECT max_l FROM eligibility('two', 's', entity := 'id')") == [(1,)]
    release = f"ldiverse('two', ['q'], 's', 2, algo := '{algo}', recode := '{recode}', entity := 'id')"
    assert con.refusal(f"FROM {release}").startswith("[SA201] one sensitive value is held by 2 of 2 people")


@pytest.mark.parametrize("algo", ["bsgi", "hilbert", "anatomy"])
@pytest.mark.parametrize("recode", ["generalize", "suppress"])
@pytest.mark.parametrize("form", ["text", "typed"])
def test_classes_that_do_not_hold_are_joined(con: TestConnection, algo: str, recode: str, form: str) -> None:
    others = [(q, f"{q}{i}", value) for q in (2, 3) for i, value in enumerate("DE")]
    con.execute("DROP TABLE IF EXISTS few")
    store(con, "few", {"q": "INTEGER", "id": "VARCHAR", "s": "VARCHAR", "nr": "INTEGER"},
          [(*one, number) for number, one in enumerate([*PUBLISHED_TWICE, *others])])  # fmt: skip
    con.execute(f"""
        CREATE OR REPLACE TABLE release AS
        FROM ldiverse('few', ['q'], 's', 2, algo := '{algo}', recode := '{recode}', format := '{form}', seed := 1,
            entity := 'id', keep := ['nr'])
    """)
    seen = "(SELECT release.q, few.s, few.id FROM release JOIN few USING (nr))"
    assert con.rows(f"FROM violations('{seen}', ['q'], 's', l := 2, entity := 'id')") == []
    assert con.rows("SELECT count(*) FROM release") == [(8,)]


def test_several_sensitive_attributes_hold_in_every_class(con: TestConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE stays AS
        SELECT i AS nr, i // 3 AS person, hash(i // 3) % 4 AS q, 'd' || hash(i) % 9 AS s, 'w' || hash(i * 5) % 8 AS w
        FROM range(90) AS numbers(i)
    """)
    con.execute("""
        CREATE OR REPLACE TABLE release AS
        FROM ldiverse('stays', ['q'], ['s', 'w'], 2, algo := 'bsgi', seed := 1, entity := 'person', keep := ['nr'])
    """)
    seen = "(SELECT release.q, stays.* EXCLUDE (q) FROM release JOIN stays USING (nr))"
    for name in ("s", "w"):
        assert con.rows(f"FROM violations('{seen}', ['q'], '{name}', l := 2, entity := 'person')") == []


@pytest.mark.parametrize("form", ["text", "typed"])
@pytest.mark.parametrize("recode", ["generalize", "suppress"])
def test_groups_that_hold_in_classes_that_do_not_publish_nothing(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, recode: str, form: str
) -> None:
    con.execute("DROP TABLE IF EXISTS few")
    rows = [*PUBLISHED_TWICE, (2, "z", "D"), (2, "w", "E"), (2, "v", "F")]
    store(con, "few", {"q": "INTEGER", "id": "VARCHAR", "s": "VARCHAR"}, rows)
    release = f"ldiverse('few', ['q'], 's', 2, recode := '{recode}', format := '{form}', entity := 'id')"
    con.rows(f"FROM {release}")

    def by_value(data: Any, person: Any, group_of: Any, *_: object) -> Any:
        """The first two groups are those of PUBLISHED_TWICE: A and B, B and C."""
        pairs = {(0, 0): 0, (1, 1): 0, (0, 1): 1, (1, 2): 1}
        names = {value: number for number, value in enumerate(sorted(set(data.sensitive.tolist())))}
        first = sorted({who for who, code in zip(person.tolist(), data.codes[0].tolist(), strict=True) if code == 0})
        return np.array(
            [
                2 if code else pairs[first.index(who), names[value]]
                for who, value, code in zip(
                    person.tolist(), data.sensitive.tolist(), data.codes[0].tolist(), strict=True
                )
            ],
            np.int32,
        )

    monkeypatch.setattr(partition, "join_for_people", by_value)
    with pytest.raises(duckdb.Error, match=r"\[SA901\] a sensitive value takes more than 1/2 of the people of a class"):
        con.rows(f"FROM {release}")
