"""taudiverse with k: nobody stands alone; and a tau that is 1/l but for rounding."""

from __future__ import annotations

from pathlib import Path

import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

import sqlanon

VALUES = "abcd"
row = st.tuples(st.integers(0, 3), st.sampled_from("xyz"), st.sampled_from(VALUES))


@pytest.fixture(scope="module", autouse=True)
def sick(con: TestConnection) -> None:
    con.execute("""
        CREATE TABLE sick AS
        SELECT i % 40 AS age, 'z' || i % 7 AS zip, CASE WHEN hash(i) % 5 = 0 THEN 'sick' ELSE 'healthy' END AS health
        FROM range(300) AS numbers(i)
    """)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(row, min_size=2, max_size=20), st.integers(1, 8), st.sampled_from([(0.5, 2), (0.7, 2), (0.5, 3)]))
def test_every_class_has_k_rows_and_is_diverse(
    con: TestConnection, rows: list[tuple[int, str, str]], k: int, bounds: tuple[float, int]
) -> None:
    tau, l = bounds
    con.execute("DROP TABLE IF EXISTS t")
    store(con, "t", {"a": "INTEGER", "b": "VARCHAR", "s": "VARCHAR"}, rows)
    call = f"taudiverse('t', ['a', 'b'], 's', {tau}, {l}, k := {k})"
    if len({value for _, _, value in rows}) < l:
        assert con.refusal(f"FROM {call}").startswith(("[SA102]", "[SA202]"))
    elif len(rows) < k:
        assert con.refusal(f"FROM {call}").startswith(f"[SA202] the table has {len(rows)} rows; k = {k}")
    else:
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {call}")
        assert con.rows(f"FROM violations('release', ['a', 'b'], 's', k := {k}, tau := {tau}, l := {l})") == []
        assert con.rows("SELECT count(*) FROM release") == [(len(rows),)]


def test_without_k_somebody_stands_alone(con: TestConnection) -> None:
    """The point of k."""
    for k, smallest in (("NULL", 1), ("3", 4)):
        con.execute(
            f"CREATE OR REPLACE TABLE release AS FROM taudiverse('sick', ['age', 'zip'], 'health', 0.5, 2, k := {k})"
        )
        assert con.rows("SELECT k FROM k_anonymity('release', ['age', 'zip'])") == [(smallest,)]


def test_the_certificate_has_k(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE release AS FROM taudiverse('sick', ['age', 'zip'], 'health', 0.5, 2, k := 4)")
    ((bounds, promised, holds),) = con.rows("""
        SELECT bounds, promised, holds FROM certify('release', ['age', 'zip'], 'health', function := 'taudiverse',
            arguments := {'tau': 0.5, 'l': 2, 'k': 4})
    """)
    assert (bounds["k"], bounds["tau"], promised, holds) == (4, 0.5, ["k", "tau"], True)


def test_a_policy_has_k_beside_tau_and_l(tmp_path: Path) -> None:
    source = tmp_path / "sick.csv"
    rows = "".join(f"{i % 4},{'sick' if i % 5 == 0 else 'healthy'}\n" for i in range(60))
    source.write_text(f"age,health\n{rows}")
    result = sqlanon.run(
        {
            "source": str(source),
            "columns": {"age": "quasi-identifier", "health": "sensitive"},
            "release": {"tau": 0.5, "l": 2, "k": 6},
            "output": {"release": str(tmp_path / "release.parquet"), "certificate": str(tmp_path / "certificate.json")},
        }
    )
    assert result.certificate.bounds["k"] == 6
    assert "k" in result.certificate.promised


@pytest.mark.parametrize("k", ["0", "-1", "2.5", "'x'"])
def test_a_k_that_is_none_is_refused(con: TestConnection, k: str) -> None:
    assert con.refusal(f"FROM taudiverse('sick', ['age'], 'health', 0.5, 2, k := {k})").startswith("[SA102] k ")


@pytest.mark.parametrize(
    "call",
    [
        "taudiverse('three', ['a'], 's', {}, 3)",
        "violations('three', ['a'], 's', tau := {}, l := 3)",
        "stronger_requirements({}, 3, 5)",
        "excessive_protection('three', ['a'], 's', {}, 3)",
    ],
)
def test_one_reader_of_tau(con: TestConnection, call: str) -> None:
    con.execute("CREATE OR REPLACE TABLE three AS SELECT i AS a, i % 3 AS s FROM range(30) AS numbers(i)")
    for tau in ("0.3333333333", "0.333333333333333", "1/3.0"):
        con.rows(f"FROM {call.format(tau)}")
    assert con.refusal(f"FROM {call.format('0.33333')}").startswith("[SA102] tau = 0.33333 is out of range.")


@pytest.mark.parametrize("suppress", [0.0, 0.001])
def test_a_suppress_that_allows_no_row_leaves_a_table_not_eligible(con: TestConnection, suppress: float) -> None:
    call = f"ldiverse('sick', ['age'], 'health', 2, algo := 'incognito', options := {{'suppress': {suppress}}})"
    assert con.refusal(f"FROM {call}").startswith("[SA201] one sensitive value is in ")
    levels = f"full_domain_levels('sick', ['age'], 'health', l := 2, options := {{'suppress': {suppress}}})"
    assert con.refusal(f"FROM {levels}").startswith("[SA201]")
