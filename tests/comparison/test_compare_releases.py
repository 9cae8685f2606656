"""compare_releases: candidate values of people, and of classes that may hold the same people."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import comparison as oracle
from thorough import examples

pytestmark = pytest.mark.oldest

TYPES = {"age": "VARCHAR", 'ci"ty': "VARCHAR", "dis'ease": "VARCHAR", "id": "INTEGER"}
ARGUMENTS = "['age', 'ci\"ty'], 'dis''ease'"
LEVELS = "(VALUES ('a', 'ab', '*'), ('b', 'ab', '*'), ('c', 'c', '*'))"
BELOW = {"a": {"a"}, "b": {"b"}, "c": {"c"}, "ab": {"a", "b"}}

ages = st.sampled_from(["5", "[1, 4]", "[4, 6]", "*", None])
cities = st.sampled_from(["a", "{a, c}", "*", None])
labels = st.sampled_from([None, "*", "a", "ab", "c"])
diseases = st.sampled_from(["flu", "cold", "hiv", "gout", None, "{flu, cold}", "{hiv, NULL}", "*"])


def releases(city: st.SearchStrategy[str | None]) -> st.SearchStrategy[list[oracle.Row]]:
    """Small releases; a person may have several rows."""
    return st.lists(st.tuples(st.tuples(ages, city), diseases, st.integers(1, 4)), min_size=6, max_size=12)


def load(con: TestConnection, old: list[oracle.Row], new: list[oracle.Row]) -> None:
    for name, rows in (("old", old), ("new", new)):
        store(con, name, TYPES, [(*cells, value, person) for cells, value, person in rows])


def pairs_of(con: TestConnection, arguments: str) -> dict[Any, set[Any]]:
    """Pairs of classes with the values that they have in common, checked against the other columns."""
    pairs = {}
    for old, new, matched, _, _, old_values, new_values, common, candidates, status in con.rows(
        f"FROM compare_releases('old', 'new', {ARGUMENTS}, detail := 'pairs'{arguments})"
    ):
        assert common == len(candidates) == len(set(candidates)) < min(old_values, new_values)
        assert status == ("pinned" if common == 1 else "narrowed")
        assert matched == ("equal" if old == new else "overlap")
        pairs[tuple(old.values()), tuple(new.values())] = set(candidates)
    return pairs


@settings(max_examples=examples(20))
@given(old=releases(cities), new=releases(cities), l=st.sampled_from([None, 2, 3]))
def test_pairs_and_people_are_those_of_the_oracle(
    con: TestConnection, old: list[oracle.Row], new: list[oracle.Row], l: int | None
) -> None:
    load(con, old, new)
    argument = "" if l is None else f", l := {l}"
    assert pairs_of(con, argument) == oracle.by_class(old, new, l)
    people = con.rows(f"FROM compare_releases('old', 'new', {ARGUMENTS}, entity := 'id'{argument})")
    assert {row[0]: set(row[4]) for row in people} == oracle.by_person(old, new, l)
    everybody = {row[2] for row in old} & {row[2] for row in new}
    counted = con.rows(
        f"FROM compare_releases('old', 'new', {ARGUMENTS}, entity := 'id', detail := 'summary'{argument})"
    )
    left = Counter(row[3] for row in people)
    assert counted == [(n, left[n], pytest.approx(left[n] / len(everybody))) for n in sorted(left)]
    assert all(row[5] == {0: "changed", 1: "pinned"}.get(row[3], "narrowed") for row in people)


@settings(max_examples=examples(20))
@given(old=releases(cities), new=releases(cities), l=st.sampled_from([None, 2, 3, 4]))
def test_rows_are_summed_up_by_what_is_left_of_them(
    con: TestConnection, old: list[oracle.Row], new: list[oracle.Row], l: int | None
) -> None:
    load(con, old, new)
    argument = "" if l is None else f", l := {l}"
    summary = con.rows(f"FROM compare_releases('old', 'new', {ARGUMENTS}{argument})")
    at_worst, certain = oracle.rows_left(old, new, l)
    pairs = Counter(len(common) for common in oracle.by_class(old, new, l).values())
    assert summary == [
        (n, at_worst[n], pytest.approx(at_worst[n] / len(new)), certain[n], pairs[n])
        for n in sorted({*at_worst, *certain, *pairs})
    ]


@settings(max_examples=examples(8))
@given(old=releases(labels), new=releases(labels))
def test_a_taxonomy_tells_which_labels_overlap(
    con: TestConnection, old: list[oracle.Row], new: list[oracle.Row]
) -> None:
    load(con, old, new)
    con.execute(f"CREATE OR REPLACE TABLE levels AS FROM {LEVELS}")
    assert pairs_of(con, ", taxonomy := {'ci\"ty': 'levels'}") == oracle.by_class(old, new, None, BELOW)


@pytest.fixture(scope="module")
def releases_of_people(con: TestConnection) -> None:
    con.execute("CREATE TABLE people AS SELECT row_number() OVER () AS id, * FROM census(200, seed := 4)")
    for name, rows in (("one", "people"), ("two", "(FROM people WHERE id % 5 > 0)")):
        for form in ("text", "typed"):
            con.execute(
                f"CREATE OR REPLACE TABLE {name}_{form} AS FROM ldiverse('{rows}', ['age', 'gender'], 'occupation', 4, "
                f"keep := ['id'], format := '{form}')"
            )


def test_formats_are_compared_with_each_other(con: TestConnection, releases_of_people: None) -> None:
    qi = "['age', 'gender'], 'occupation'"
    for entity, shown in (
        (", detail := 'pairs'", "old_class, new_class"),
        (", entity := 'id'", "status"),
        ("", "share"),
    ):
        answers = {
            str(con.rows(f"{compared}('one_{old}', 'two_{new}', {qi}{entity}) ORDER BY ALL"))
            for compared in [f"SELECT * EXCLUDE ({shown}) FROM compare_releases"]
            for old in ("text", "typed")
            for new in ("text", "typed")
        }
        assert len(answers) == 1
        assert answers != {"[]"}


def test_a_release_tells_nothing_beside_itself(con: TestConnection, releases_of_people: None) -> None:
    arguments = "'one_text', 'one_typed', ['age', 'gender'], 'occupation'"
    assert con.rows(f"FROM compare_releases({arguments}, entity := 'id')") == []
    assert con.rows(f"FROM compare_releases({arguments}, detail := 'pairs') WHERE matched = 'equal'") == []


@pytest.mark.parametrize(
    ("kind", "old", "near", "far"),
    [
        ("DATE", "['2024-01-01', '2024-02-01']", "['2024-02-01', '2024-03-01']", "['2024-02-02', '2024-03-01']"),
        ("TIME", "['10:00:00', '11:00:00']", "['10:30:00', '12:00:00']", "['11:30:00', '12:00:00']"),
        ("INTERVAL", "['1 day', '1 month']", "['29 days', '1 year']", "['31 days', '1 year']"),
        (
            "TIMESTAMP",
            "['2024-01-01', '2024-02-01']",
            "['2024-01-31 10:00:00', 'infinity']",
            "['2024-03-01', 'infinity']",
        ),
        ("DOUBLE", "['-1', '0.5']", "['0.5', 'nan']", "['0.6', 'inf']"),
    ],
)
def test_ranges_of_any_type_overlap_or_do_not(con: TestConnection, kind: str, old: str, near: str, far: str) -> None:
    def table(ends: str, form: str, values: str) -> str:
        typed = f"{{'lo': CAST({ends}[1] AS {kind}), 'hi': CAST({ends}[2] AS {kind})}}"
        low, high = (f"CAST(CAST({ends}[{end}] AS {kind}) AS VARCHAR)" for end in (1, 2))
        text = f"'[' || {low} || ', ' || {high} || ']'"
        select = f"(SELECT {typed if form == 'typed' else text} AS q, unnest({values}) AS s)"
        return "'" + select.replace("'", "''") + "'"

    for one, other in (("text", "text"), ("typed", "text"), ("typed", "typed")):
        for new, rows in ((near, 1), (far, 0)):
            tables = f"{table(old, one, '[1, 2]')}, {table(new, other, '[2, 3]')}"
            assert con.rows(f"SELECT count(*) FROM compare_releases({tables}, ['q'], 's', detail := 'pairs')") == [
                (rows,)
            ]


def test_a_star_covers_all_that_a_number_can_be(con: TestConnection) -> None:
    store(con, "old", {"q": "VARCHAR", "s": "INTEGER"}, [("*", 1), ("*", 2)])
    for value in ("nan", "inf", "-inf", "0", None):
        store(con, "new", {"q": "DOUBLE", "s": "INTEGER"}, [(value, 2), (value, 3)])
        for tables in ("'old', 'new'", "'new', 'old'"):
            assert con.rows(f"FROM compare_releases({tables}, ['q'], 's')") == [(1, 2, 1.0, 2, 1)]


def test_cells_with_gaps_overlap_where_they_have_values(con: TestConnection) -> None:
    store(con, "old", {"q": "VARCHAR", "s": "INTEGER"}, [("{a, c}", 1), ("{a, c}", 2)])
    for cell, lines in (("b", []), ("{b, d}", []), ("{b, c}", [(1, 2, 1.0, 2, 1)]), ("c", [(1, 2, 1.0, 2, 1)])):
        store(con, "new", {"q": "VARCHAR", "s": "INTEGER"}, [(cell, 2), (cell, 3)])
        assert con.rows("FROM compare_releases('old', 'new', ['q'], 's')") == lines


def test_what_may_be_is_told_from_what_is(con: TestConnection) -> None:
    """The new class overlaps two old ones: by one of them it is flu, by the other flu or cold."""
    types = {"q": "VARCHAR", "s": "VARCHAR"}
    new = [("[1, 9]", value) for value in ("flu", "cold", "hiv", "gout")]
    first = [("1", value) for value in ("flu", "asthma", "lupus")]
    second = [("9", value) for value in ("flu", "cold", "lupus")]
    store(con, "old", types, first + second)
    store(con, "new", types, new)
    assert con.rows("FROM compare_releases('old', 'new', ['q'], 's')") == [(1, 4, 1.0, 0, 1), (2, 0, 0.0, 4, 1)]
    second += [("9", "hiv")]
    store(con, "old", types, first + second)
    assert con.rows("FROM compare_releases('old', 'new', ['q'], 's')") == [(1, 4, 1.0, 0, 1)]


def test_labels_of_the_sensitive_attribute_stand_for_what_is_below_them(con: TestConnection) -> None:
    levels = "('flu', 'lung', '*'), ('cold', 'lung', '*'), ('hiv', 'hiv', '*')"
    con.execute(f"CREATE OR REPLACE TABLE levels AS FROM (VALUES {levels})")
    store(con, "old", {"q": "INTEGER", "s": "VARCHAR"}, [(1, "lung")])
    store(con, "new", {"q": "INTEGER", "s": "VARCHAR"}, [(1, "flu"), (1, "hiv")])
    arguments = "'old', 'new', ['q'], 's', taxonomy := {'s': 'levels'}"
    assert con.rows(f"SELECT old_values, candidates, status FROM compare_releases({arguments}, detail := 'pairs')") == [
        (2, ["flu"], "pinned")
    ]
    store(con, "new", {"q": "INTEGER", "s": "VARCHAR"}, [(1, "gout")])
    assert con.refusal(f"FROM compare_releases({arguments})").startswith("[SA105] the taxonomy of column 's'")


def test_sensitive_labels_like_lists_and_stars_are_read_as_verify_reads_them(con: TestConnection) -> None:
    levels = "('flu', '{a, b}', 'any'), ('cold', '{a, b}', 'any'), ('hiv', '*', 'any'), ('gout', '*', 'any')"
    con.execute(f"CREATE OR REPLACE TABLE levels AS FROM (VALUES {levels})")
    store(con, "old", {"q": "INTEGER", "s": "VARCHAR"}, [(1, "{a, b}"), (2, "*"), (3, "any"), (4, "{flu, hiv}")])
    store(con, "new", {"q": "INTEGER", "s": "VARCHAR"}, [(q, each) for q in range(1, 5) for each in ("flu", "hiv")])
    tables = "'old', 'new', ['q'], 's', taxonomy := {'s': 'levels'}, l := 9, detail := 'pairs'"
    assert con.rows(f"SELECT old_class.q, old_values, candidates FROM compare_releases({tables}) ORDER BY ALL") == [
        (1, 2, ["flu"]),
        (2, 2, ["hiv"]),
    ]
    induced = con.rows(
        "SELECT q, list(value ORDER BY value) FILTER (WHERE frequency > 0) "
        "FROM induced_frequencies('old', ['q'], 's', taxonomy := {'s': 'levels'}) GROUP BY ALL ORDER BY ALL"
    )
    everything = ["cold", "flu", "gout", "hiv"]
    assert induced == [(1, ["cold", "flu"]), (2, ["gout", "hiv"]), (3, everything), (4, ["flu", "hiv"])]


@pytest.mark.parametrize(
    ("old", "new", "l", "listed"),
    [
        ("abc", "bcd", None, ["b", "c"]),
        ("abc", "bcd", 3, ["b", "c"]),
        ("abc", "bcd", 2, None),
        ("abcd", "bcde", None, ["b", "c", "d"]),
        ("abcd", "abc", None, None),
        ("abcd", "abc", 9, None),
        ("ab", "cd", None, None),
    ],
)
def test_fewer_than_l_are_too_few_if_they_are_fewer_than_in_either(
    con: TestConnection, old: str, new: str, l: int | None, listed: list[str] | None
) -> None:
    for name, values in (("old", old), ("new", new)):
        store(con, name, {"q": "INTEGER", "s": "VARCHAR", "id": "INTEGER"}, [(5, value, 1) for value in values])
    argument = "" if l is None else f", l := {l}"
    candidates = [] if listed is None else [(listed,)]
    pairs = con.rows(f"SELECT candidates FROM compare_releases('old', 'new', ['q'], 's', detail := 'pairs'{argument})")
    assert pairs == candidates
    people = con.rows(f"SELECT status FROM compare_releases('old', 'new', ['q'], 's', entity := 'id'{argument})")
    assert people == ([("changed",)] if not set(old) & set(new) else [("narrowed",)] if listed else [])


def test_people_without_a_name_are_not_matched(con: TestConnection) -> None:
    store(con, "old", {"q": "INTEGER", "s": "VARCHAR", "id": "VARCHAR"}, [(1, "a", None), (1, "b", "7")])
    store(con, "new", {"q": "INTEGER", "s": "VARCHAR", "id": "INTEGER"}, [(2, "b", None), (2, "c", 7)])
    answers = con.rows("FROM compare_releases('old', 'new', ['q'], 's', entity := 'id')")
    assert answers == [("7", 2, 2, 1, ["b"], "pinned")]


def test_a_nested_quasi_identifier_is_refused_and_a_list_is_not(con: TestConnection) -> None:
    for nested, code in (("{'x': 1}", "[SA104] column 'q' has type STRUCT"), ("MAP {'x': 1}", "[SA104]")):
        con.execute(f"CREATE OR REPLACE TABLE old AS SELECT {nested} AS q, 's' AS s")
        assert con.refusal("FROM compare_releases('old', 'old', ['q'], 's')").startswith(code)
    for cell in ("[1, 2]", "[]::INTEGER[]", "'x'::ENUM('x', 'y')", "NULL", "TRUE", "'ab'::BLOB"):
        con.execute(f"CREATE OR REPLACE TABLE old AS SELECT {cell} AS q, 's' AS s")
        assert con.rows("FROM compare_releases('old', 'old', ['q'], 's')") == []


@pytest.mark.parametrize("rows", [[], [(1, "a", 1)]])
def test_an_empty_release_and_one_row_tell_nothing(con: TestConnection, rows: list[tuple[Any, ...]]) -> None:
    types = {"q": "INTEGER", "s": "VARCHAR", "id": "INTEGER"}
    store(con, "old", types, rows)
    store(con, "new", types, [(1, "a", 1)])
    for tables in ("'old', 'new'", "'new', 'old'"):
        for more in ("", ", detail := 'pairs'", ", entity := 'id'", ", entity := 'id', detail := 'summary'"):
            assert con.rows(f"FROM compare_releases({tables}, ['q'], 's'{more})") == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("'old', 'new', ['w'], 's'", "[SA101] there is no column 'w' in old"),
        ("'old', 'new', ['q', 'o'], 's'", "[SA101] there is no column 'o' in new"),
        ("'old', 'new', ['q'], 's', entity := 'person'", "[SA101] there is no column 'person' in old"),
        ("'old', 'new', ['q', 'Q'], 's'", "[SA101] column 'Q' is given twice in qi"),
        ("'old', 'new', ['q'], 'q'", "[SA101] column 'q' is given in both qi and sa"),
        ("'old', 'new', ['q'], 's', entity := 's'", "[SA101] column 's' is given in both sa and entity"),
        ("'old', 'new', [], 's'", "[SA102] qi is empty"),
        ("'old', 'new', ['q'], NULL", "[SA102] sa must be a column name"),
        ("'old', 'new', ['q'], 's', l := 1", "[SA102] l = 1 is out of range"),
        ("'old', 'new', ['q'], 's', detail := 'people'", "[SA102] detail: 'people' is not known"),
        ("'old', 'new', ['q'], 's', entity := 'o', detail := 'pairs'", "[SA102] detail: 'pairs' is not known"),
        ("'old', 'new', ['q'], 's', detail := 1", "[SA102] detail: 1 is not known"),
        ("'old', 'new', ['q'], 's', taxonomy := {'x': 'levels'}", "[SA101] taxonomy names column 'x'"),
        (
            "'old', 'new', ['q'], 's', taxonomy := {'q': '(SELECT ''9'' AS a, ''*'' AS b)'}",
            "[SA105] the taxonomy of column 'q'",
        ),
        ("'old; DROP', 'new', ['q'], 's'", "[SA103] old is not a table reference"),
        ("'old', NULL, ['q'], 's'", "[SA102] new must be text"),
    ],
)
def test_a_bad_argument_is_a_coded_error(con: TestConnection, arguments: str, error: str) -> None:
    store(con, "old", {"q": "INTEGER", "s": "VARCHAR", "o": "INTEGER"}, [(1, "a", 1), (1, "b", 2)])
    store(con, "new", {"q": "INTEGER", "s": "VARCHAR"}, [(1, "a"), (1, "b")])
    assert con.refusal(f"FROM compare_releases({arguments})").startswith(error)


def test_twenty_thousand_overlapping_classes_are_compared_in_seconds(con: TestConnection) -> None:
    """Pair by pair, in SQL, it would be minutes: each class overlaps some hundred others."""
    cell = "'[' || hash(c, '{0}', '{1}') % 900 || ', ' || (hash(c, '{0}', '{1}') % 900 + 90) || ']' AS {1}"
    for release in ("old", "new"):
        con.execute(
            f"""
            CREATE OR REPLACE TABLE {release} AS
            SELECT {cell.format(release, "age")}, {cell.format(release, "zip")}, hash(c, '{release}', j) % 50 AS disease
            FROM range(20000) AS classes(c), range(4) AS members(j)
            """
        )
    began = time.perf_counter()
    summary = con.rows("FROM compare_releases('old', 'new', ['age', 'zip'], 'disease', l := 3)")
    assert time.perf_counter() - began < 30  # two on an idle machine
    assert len(summary) <= 2
    assert sum(pairs for *_, pairs in summary) > 1_000_000
