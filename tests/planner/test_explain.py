"""sqlanon_explain shows the steps of a statement, and the rows of one, and never a seed."""

from __future__ import annotations

import pytest
from connections import TestConnection

pytestmark = pytest.mark.oldest

ARGUMENTS = "{'tbl': 'people', 'qi': ['age'], 'sa': 'disease', 'l': 2, 'seed': 987654}"


@pytest.fixture(scope="module", autouse=True)
def people(con: TestConnection) -> None:
    con.execute("CREATE TABLE people AS SELECT i AS age, 'd' || i % 4 AS disease FROM range(20) AS r(i)")


def test_the_steps_are_those_of_the_statement_in_their_order(con: TestConnection) -> None:
    listed = con.rows(f"FROM sqlanon_explain('ldiverse', {ARGUMENTS})")
    ((whole,),) = con.rows(f"SELECT sqlanon_explain('ldiverse', {ARGUMENTS})")
    assert listed[-1] == ("result", whole)
    positions = [whole.index(f"_sqlanon_{step} AS ") for step, _ in listed[:-1]]
    assert len(positions) > 10
    assert positions == sorted(positions)
    assert {"source", "promise"} < {step for step, _ in listed}


def test_a_step_shows_its_rows_and_nothing_after_it_runs(con: TestConnection) -> None:
    source = con.rows(f"FROM sqlanon_explain('ldiverse', {ARGUMENTS}, step := 'source')")
    assert sorted(source) == sorted(con.rows("SELECT age, disease FROM people"))
    assert con.rows(f"FROM sqlanon_explain('ldiverse', {ARGUMENTS}, step := 'promise')") == [(True,)]
    impossible = ARGUMENTS.replace("'l': 2", "'l': 5")
    assert len(con.rows(f"FROM sqlanon_explain('ldiverse', {impossible}, step := 'coded')")) == 20
    assert "[SA201]" in con.refusal(f"FROM sqlanon_explain('ldiverse', {impossible}, step := 'promise')")


def test_the_result_is_what_the_call_answers(con: TestConnection) -> None:
    explained = con.rows(
        "FROM sqlanon_explain('kanonymous', {'tbl': 'people', 'qi': ['age'], 'k': 3}, step := 'result')"
    )
    assert explained == con.rows("FROM kanonymous('people', ['age'], 3)")


@pytest.mark.parametrize("algo", ["hilbert", "anatomy"])
def test_no_seed_is_shown_and_a_step_is_drawn_by_it(con: TestConnection, algo: str) -> None:
    arguments = ARGUMENTS.replace("}", f", 'algo': '{algo}'}}")
    assert "987654" not in str(con.rows(f"FROM sqlanon_explain('ldiverse', {arguments})"))
    drawn = f"FROM sqlanon_explain('ldiverse', {arguments}, step := 'assigned')"
    assert sorted(con.rows(drawn), key=str) == sorted(con.rows(drawn), key=str)


@pytest.mark.parametrize(
    ("call", "refused"),
    [
        (
            f"('ldiverse', {ARGUMENTS}, step := 'nowhere')",
            "[SA102] step: 'nowhere' is not known. Choose one of: source",
        ),
        ("('nothing', {'tbl': 'people'})", "[SA102] function: 'nothing' is not known."),
        ("('census', {'rows': 5})", "[SA102] function: 'census' has no statement of its own."),
        ("('sqlanon_explain', {'function': 'census'})", "[SA102] function: sqlanon_explain does not explain itself."),
        ("('ldiverse', 3)", "[SA102] arguments must be a struct or map"),
        (f"('ldiverse', {ARGUMENTS.replace('987654', '-1')})", "[SA102] seed"),
        (
            "('privacy', {'tbl': 'people', 'qi': ['age'], 'sa': ['disease', 'age']})",
            "[SA101]",
        ),
    ],
)
def test_what_cannot_be_explained_is_refused(con: TestConnection, call: str, refused: str) -> None:
    assert refused in con.refusal(f"FROM sqlanon_explain{call}")


def test_a_call_of_several_statements_has_no_steps_in_common(con: TestConnection) -> None:
    several = "('privacy', {'tbl': '(SELECT *, 1 AS job FROM people)', 'qi': ['age'], 'sa': ['disease', 'job']})"
    assert "[SA102] the call is several statements in one." in con.refusal(f"FROM sqlanon_explain{several}")
