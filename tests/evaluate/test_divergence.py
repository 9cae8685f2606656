"""How far a release is from its source: kl_divergence and cube_kl against the oracle, and by hand."""

from __future__ import annotations

import datetime
import math
from typing import Any

import duckdb
import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import divergence as oracle
from oracles.loss import Attribute
from thorough import examples

checked = settings(max_examples=examples(15), deadline=None, database=None)

TYPES = {"num": "INTEGER", "real": "DOUBLE", "day": "DATE", "cat": "VARCHAR", "town": "VARCHAR", "sa": "VARCHAR"}
READ = {"num": int, "real": float, "day": datetime.date.fromisoformat}
TOWNS = [("a", "north", "*"), ("b", "north", "*"), ("c", "south", "*"), ("d", "south", "*"), ("e", "e", "*")]


@pytest.fixture(scope="module", autouse=True)
def towns(con: TestConnection) -> None:
    store(con, "towns", {"leaf": "VARCHAR", "side": "VARCHAR", "top": "VARCHAR"}, TOWNS)


def kl(con: TestConnection, rest: str) -> float | None:
    [(answer,)] = con.execute(f"FROM kl_divergence({rest})").fetchall()
    return answer  # type: ignore[no-any-return]


def cube(con: TestConnection, rest: str) -> list[Row]:
    return con.execute(f"FROM cube_kl({rest})").fetchall()  # type: ignore[no-any-return]


def near(expected: float | None) -> Any:
    return expected if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-12)


# ---- random tables

source_row = st.tuples(
    st.one_of(st.none(), st.integers(-3, 3)),
    st.one_of(st.none(), st.sampled_from([-0.0, 0.0, 0.25, 1e300, math.inf, math.nan])),
    st.one_of(st.none(), st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 9))),
    st.sampled_from([None, "a", "b", "", "[1, 2]", 'q"o']),
    st.sampled_from([None, "a", "b", "c"]),
    st.sampled_from([None, "flu", "gout", "{x}", "{a; b}", "", "NULLs"]),
)


@st.composite
def publications(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "rows": draw(st.lists(source_row, min_size=2, max_size=16)),
        "qi": draw(st.sampled_from([["num"], ["cat", "real"], ["town", "day"], ["num", "town", "real"]])),
        "recode": draw(st.sampled_from(["generalize", "suppress", "none"])),
        "format": draw(st.sampled_from(["text", "typed"])),
        "nulls": draw(st.sampled_from(["value", "value", "exclude"])),
        "deleted": draw(st.sets(st.integers(0, 15), max_size=3)),
    }


def publish(con: TestConnection, case: dict[str, Any], private: str) -> bool:
    """Publish the random table as r; whether it could be."""
    store(con, "t", TYPES, case["rows"])
    how = f"recode := '{case['recode']}', format := '{case['format']}', nulls := '{case['nulls']}'{trees(case)}"
    try:
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM {private}, {how})")
    except duckdb.Error as error:
        assert "[SA201]" in str(error) or "[SA202]" in str(error)
        return False
    if case["deleted"]:
        con.execute(f"DELETE FROM r WHERE rowid IN ({', '.join(map(str, case['deleted']))})")
    return True


def trees(case: dict[str, Any]) -> str:
    return ", taxonomy := {'town': 'towns'}" if "town" in case["qi"] else ""


def check(con: TestConnection, case: dict[str, Any]) -> None:
    """Both functions against the oracle, for the release as it is now."""
    at = list(TYPES)
    attributes = [
        Attribute(
            name, [row[at.index(name)] for row in case["rows"]], READ.get(name), TOWNS if name == "town" else None
        )
        for name in case["qi"]
    ]
    secrets = [row[-1] for row in case["rows"]]
    release = con.execute(f"SELECT {', '.join(case['qi'])}, sa FROM r").fetchall()
    given_arguments = f"'t', 'r', {case['qi']}, 'sa'"
    expected = oracle.kl_divergence(attributes, secrets, release)
    assert kl(con, given_arguments + trees(case)) == near(expected)
    levels = range(1, len(attributes) + 2)
    found = cube(con, f"{given_arguments}, NULL{trees(case)}")
    assert found == [(names, near(kl)) for names, kl in oracle.cube_kl(attributes, secrets, release, levels)]
    assert cube(con, f"{given_arguments}, 2{trees(case)}") == [
        (names, near(kl)) for names, kl in found if len(names) == 2
    ]
    value = next((secret for secret in secrets if secret is not None), None)
    if value is not None:
        found = cube(con, f"{given_arguments}, 1, value := '{value}'{trees(case)}")
        assert found == [(names, near(kl)) for names, kl in oracle.cube_kl(attributes, secrets, release, [1], value)]


@checked
@given(publications())
def test_a_kanonymous_release_is_as_far_as_the_definitions_say(con: TestConnection, case: dict[str, Any]) -> None:
    case["recode"] = case["recode"].replace("none", "generalize")
    if publish(con, case, f"kanonymous('t', {case['qi']}, 2, keep := ['sa']"):
        check(con, case)


@checked
@given(publications())
def test_an_ldiverse_release_is_as_far_as_the_definitions_say(con: TestConnection, case: dict[str, Any]) -> None:
    secrets = ["flu", "gout", None, "{x}"]
    case["rows"] = [(*row[:-1], secrets[i % 4]) for i, row in enumerate(case["rows"])]
    if publish(con, case, f"ldiverse('t', {case['qi']}, 'sa', 2"):
        check(con, case)


# ---- by hand


@pytest.fixture()
def four(con: TestConnection) -> TestConnection:
    """Ages 1 to 4, two of each sex; the release has two classes of two."""
    people = [(1, "f", "flu"), (2, "f", "gout"), (3, "m", "flu"), (4, "m", "gout")]
    store(con, "people", {"age": "INTEGER", "sex": "VARCHAR", "ill": "VARCHAR"}, people)
    published = [("[1, 2]", "f", "flu"), ("[1, 2]", "f", "gout"), ("[3, 4]", "m", "flu"), ("[3, 4]", "m", "gout")]
    store(con, "published", {"age": "VARCHAR", "sex": "VARCHAR", "ill": "VARCHAR"}, published)
    return con


def test_a_table_is_at_no_distance_from_itself(four: TestConnection) -> None:
    assert kl(four, "'people', 'people', ['age', 'sex'], 'ill'") == 0
    assert [row[1] for row in cube(four, "'people', 'people', ['age', 'sex'], 'ill', NULL")] == [0.0] * 7


def test_two_ages_that_cannot_be_told_apart_cost_the_logarithm_of_two(four: TestConnection) -> None:
    # each person had 1/4 and now has 1/4 · 1/2
    assert kl(four, "'people', 'published', ['age', 'sex'], 'ill'") == pytest.approx(math.log(2))


def test_a_group_by_costs_only_what_it_looks_at(four: TestConnection) -> None:
    assert cube(four, "'people', 'published', ['age', 'sex'], 'ill', 2") == [
        (["age", "sex"], 0.0),
        (["age", "ill"], near(math.log(2))),
        (["sex", "ill"], 0.0),
    ]


def test_of_one_sensitive_value_only_its_own_rows_count(four: TestConnection) -> None:
    # the flu is at ages 1 and 3, half each; the release has a quarter at each of 1, 2, 3, 4
    assert cube(four, "'people', 'published', ['age', 'sex'], 'ill', 1, value := 'flu'") == [
        (["age"], near(math.log(2))),
        (["sex"], 0.0),
    ]
    assert cube(four, "'people', 'published', ['age', 'sex'], 'ill', 2, value := 'flu'") == [
        (["age", "sex"], near(math.log(2)))
    ]


def test_every_level_comes_coarsest_first_and_in_the_order_of_qi(four: TestConnection) -> None:
    names = [row[0] for row in cube(four, "'people', 'published', ['sex', 'age'], 'ill', NULL")]
    assert names == [["sex"], ["age"], ["ill"], ["sex", "age"], ["sex", "ill"], ["age", "ill"], ["sex", "age", "ill"]]
    assert cube(four, "'people', 'published', ['sex', 'age'], 'ill', 2.0, value := 'flu'")[0][0] == ["sex", "age"]


def test_the_finest_group_by_is_kl_divergence(four: TestConnection) -> None:
    [(_, finest)] = cube(four, "'people', 'published', ['age', 'sex'], 'ill', 3")
    assert finest == pytest.approx(kl(four, "'people', 'published', ['age', 'sex'], 'ill'"))


def test_a_listed_sensitive_value_gets_its_share_of_the_row(four: TestConnection) -> None:
    # ages are exact, but each person has either illness: 1/4 became 1/4 · 1/2
    for listed in ("{flu, gout}", ["flu", "gout"]):
        kind = "VARCHAR" if isinstance(listed, str) else "VARCHAR[]"
        store(four, "anatomy", {"age": "VARCHAR", "ill": kind}, [(str(age), listed) for age in (1, 2, 3, 4)])
        assert kl(four, "'people', 'anatomy', ['age'], 'ill'") == pytest.approx(math.log(2))
        assert cube(four, "'people', 'anatomy', ['age'], 'ill', 1") == [(["age"], 0.0), (["ill"], 0.0)]
    store(four, "skewed", {"age": "VARCHAR", "ill": "VARCHAR"}, [("*", "{flu, flu, flu, gout}")])
    expected = 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)
    assert cube(four, "'people', 'skewed', ['age'], 'ill', 1")[1] == (["ill"], near(expected))


def test_a_starred_list_stands_for_every_sensitive_value(four: TestConnection) -> None:
    for listed in ("*", ["*"]):
        kind = "VARCHAR" if isinstance(listed, str) else "VARCHAR[]"
        store(four, "starred", {"age": "VARCHAR", "ill": kind}, [(str(age), listed) for age in (1, 2, 3, 4)])
        assert kl(four, "'people', 'starred', ['age'], 'ill'") == pytest.approx(math.log(2))
        assert cube(four, "'people', 'starred', ['age'], 'ill', 1") == [(["age"], 0.0), (["ill"], 0.0)]
        own = "(SELECT 'ill = ''flu'' AND age <= 2' AS predicate)"
        ask = f"count_query_error('people', 'starred', ['age'], 'ill', predicates := $${own}$$)"
        assert four.rows(f"SELECT estimate FROM {ask}") == [(1.0,)]


def test_null_in_a_list_is_written_out_in_text(con: TestConnection) -> None:
    store(con, "people", {"age": "INTEGER", "ill": "VARCHAR"}, [(1, "flu"), (1, None)])
    store(con, "published", {"age": "VARCHAR", "ill": "VARCHAR"}, [("1", "{flu, NULL}"), ("1", "{flu, NULL}")])
    assert kl(con, "'people', 'published', ['age'], 'ill'") == 0


def test_values_with_commas_are_as_far_in_either_format(con: TestConnection) -> None:
    people = [(i, ill) for i, ill in enumerate(["flu, mild", "gout", "mild", "flu, mild", "gout", "mild"])]
    store(con, "people", {"age": "INTEGER", "ill": "VARCHAR"}, people)
    found = []
    for format in ("text", "typed"):
        how = f"3, recode := 'none', format := '{format}'"
        con.execute(f"CREATE OR REPLACE TABLE published AS FROM ldiverse('people', ['age'], 'ill', {how})")
        found.append(
            (kl(con, "'people', 'published', ['age'], 'ill'"), cube(con, "'people', 'published', ['age'], 'ill', 2"))
        )
    assert found[0] == found[1]
    assert found[0][0] == pytest.approx(math.log(3))


def test_a_star_covers_null(con: TestConnection) -> None:
    store(con, "people", {"age": "INTEGER", "ill": "VARCHAR"}, [(1, "flu"), (2, "flu"), (None, "flu"), (None, "flu")])
    store(con, "published", {"age": "VARCHAR", "ill": "VARCHAR"}, [("*", "flu")] * 4)
    # 1/4, 1/4, 1/2 against a third each
    expected = 0.5 * math.log(0.25 * 3) + 0.5 * math.log(0.5 * 3)
    assert kl(con, "'people', 'published', ['age'], 'ill'") == pytest.approx(expected)


def test_a_label_is_even_over_its_leaves_also_those_that_nobody_has(con: TestConnection) -> None:
    store(con, "people", {"town": "VARCHAR", "ill": "VARCHAR"}, [("a", "flu"), ("c", "flu")])
    store(con, "published", {"town": "VARCHAR", "ill": "VARCHAR"}, [("north", "flu"), ("south", "flu")])
    assert kl(con, "'people', 'published', ['town'], 'ill', {'town': 'towns'}") == pytest.approx(math.log(2))


def test_a_star_in_the_source_that_is_no_leaf_is_like_null(con: TestConnection) -> None:
    leaves = {"leaf": "VARCHAR", "top": "VARCHAR"}
    store(con, "sides", leaves, [("a", "Any"), ("b", "Any")])
    store(con, "people", {"town": "VARCHAR", "ill": "VARCHAR"}, [("a", "flu"), ("*", "flu"), (None, "flu")])
    store(con, "published", {"town": "VARCHAR", "ill": "VARCHAR"}, [("a", "flu"), (None, "flu"), (None, "flu")])
    assert kl(con, "'people', 'published', ['town'], 'ill', {'town': 'sides'}") == 0


def test_the_sensitive_attribute_may_be_generalized_too(con: TestConnection) -> None:
    store(con, "people", {"age": "INTEGER", "town": "VARCHAR"}, [(1, "a"), (1, "b"), (1, "c"), (1, "d")])
    store(con, "published", {"age": "VARCHAR", "town": "VARCHAR"}, [("1", "north")] * 2 + [("1", "c"), ("1", "d")])
    tree = "taxonomy := {'town': 'towns'}"
    assert kl(con, f"'people', 'published', ['age'], 'town', {tree}") == 0
    store(con, "published", {"age": "VARCHAR", "town": "VARCHAR"}, [("1", "*")] * 4)
    assert kl(con, f"'people', 'published', ['age'], 'town', {tree}") == pytest.approx(math.log(5 / 4))
    assert cube(con, f"'people', 'published', ['age'], 'town', 1, value := 'a', {tree}") == [(["age"], 0.0)]


def test_a_star_that_is_the_root_of_a_sensitive_taxonomy_covers_null(con: TestConnection) -> None:
    store(con, "people", {"age": "INTEGER", "town": "VARCHAR"}, [(1, "a"), (1, None)])
    store(con, "published", {"age": "VARCHAR", "town": "VARCHAR"}, [("1", "*")] * 2)
    # five towns and NULL
    assert kl(con, "'people', 'published', ['age'], 'town', {'town': 'towns'}") == pytest.approx(math.log(6 / 2))


def test_a_label_gives_a_value_only_its_share(con: TestConnection) -> None:
    store(con, "people", {"age": "INTEGER", "town": "VARCHAR"}, [(1, "a"), (2, "a"), (2, "b")])
    store(con, "published", {"age": "VARCHAR", "town": "VARCHAR"}, [("1", "a"), ("2", "north"), ("2", "b")])
    # a has a whole row at 1 and half a row at 2
    expected = 0.5 * math.log(0.5 / (2 / 3)) + 0.5 * math.log(0.5 / (1 / 3))
    found = cube(con, "'people', 'published', ['age'], 'town', 1, value := 'a', taxonomy := {'town': 'towns'}")
    assert found == [(["age"], near(expected))]


def test_what_the_release_rules_out_is_infinite_or_half_a_row(four: TestConnection) -> None:
    four.execute("DELETE FROM published WHERE sex = 'm'")
    assert kl(four, "'people', 'published', ['age', 'sex'], 'ill'") == math.inf
    # half of the people where the release has all of its 2 rows, half where it has none and gets half a row
    expected = 0.5 * math.log(0.5 / (2 / 2.5)) + 0.5 * math.log(0.5 / (0.5 / 2.5))
    assert cube(four, "'people', 'published', ['sex'], 'ill', 1") == [(["sex"], near(expected)), (["ill"], 0.0)]


def test_a_divergence_is_never_below_zero_however_many_rows_are_left_out(con: TestConnection) -> None:
    store(con, "people", {"age": "INTEGER", "ill": "VARCHAR"}, [(age, "flu") for age in range(40)])
    for kept in (1, 2, 10, 39):
        store(con, "published", {"age": "VARCHAR", "ill": "VARCHAR"}, [(str(age), "flu") for age in range(kept)])
        mass = kept + 0.5 * (40 - kept)
        expected = kept / 40 * math.log(mass / 40) + (1 - kept / 40) * math.log(mass / 20)
        for value in ("", ", value := 'flu'"):
            [(names, kl), *_] = cube(con, f"'people', 'published', ['age'], 'ill', 1{value}")
            assert (names, kl) == (["age"], near(expected))
            assert kl > 0


def test_an_empty_release_or_source_has_no_distance(four: TestConnection) -> None:
    nobody, nothing = "(SELECT * FROM people WHERE FALSE)", "(SELECT * FROM published WHERE FALSE)"
    for src, rel in (("people", nothing), (nobody, nothing)):
        assert kl(four, f"'{src}', '{rel}', ['age', 'sex'], 'ill'") is None
        assert cube(four, f"'{src}', '{rel}', ['age', 'sex'], 'ill', 3") == [(["age", "sex", "ill"], None)]
        assert cube(four, f"'{src}', '{rel}', ['age'], 'ill', 1, value := 'flu'") == [(["age"], None)]


def test_a_release_that_lost_a_value_has_no_distance_for_it(four: TestConnection) -> None:
    four.execute("DELETE FROM published WHERE ill = 'flu'")
    assert cube(four, "'people', 'published', ['sex'], 'ill', 1, value := 'flu'") == [(["sex"], None)]


def test_values_of_any_type_can_be_asked_for(con: TestConnection) -> None:
    kinds = {"1.5": "DOUBLE", "true": "BOOLEAN", "DATE '2020-02-29'": "DATE", "7": "BIGINT", "'O''Hara'": "VARCHAR"}
    for literal, kind in kinds.items():
        con.execute(f"CREATE OR REPLACE TABLE people AS SELECT 1 AS age, CAST({literal} AS {kind}) AS secret")
        assert cube(con, f"'people', 'people', ['age'], 'secret', 1, value := {literal}") == [(["age"], 0.0)]


def test_tables_and_columns_may_be_called_like_our_own_steps(con: TestConnection) -> None:
    for name in ("points", "boxes", "sensitive", "chosen", "totals", "domain_sa_1"):
        con.execute(
            f'CREATE OR REPLACE TABLE "{name}" AS SELECT i AS "qi_1", i % 2 AS "se""cret" FROM range(4) AS r(i)'
        )
        assert kl(con, f"""'{name}', '{name}', ['qi_1'], 'se"cret'""") == 0
        assert cube(con, f"""'{name}', '{name}', ['qi_1'], 'se"cret', 1, value := 1""") == [(["qi_1"], 0.0)]
        con.execute(f'DROP TABLE "{name}"')


def test_a_release_may_be_a_step_of_the_statement(four: TestConnection) -> None:
    sql = "WITH seen AS (FROM published) SELECT kl FROM kl_divergence('people', 'seen', ['age'], 'ill')"
    assert four.execute(sql).fetchall() == [(pytest.approx(math.log(2)),)]


def test_a_census_release_is_farther_for_a_larger_l(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE people AS FROM census(3000)")
    qi = ["age", "gender", "education", "country"]
    means = []
    for l in (2, 8):
        con.execute(f"CREATE OR REPLACE TABLE published AS FROM ldiverse('people', {qi}, 'occupation', {l})")
        found = cube(con, f"'people', 'published', {qi}, 'occupation', 2")
        assert len(found) == 10
        assert all(distance >= 0 for _, distance in found)
        means.append(sum(distance for _, distance in found))
    assert means[0] < means[1]


# ---- errors


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("cube_kl('people', 'published', ['age', 'sex'], 'ill', 0)", "SA102"),
        ("cube_kl('people', 'published', ['age', 'sex'], 'ill', 4)", "SA102"),
        ("cube_kl('people', 'published', ['age', 'sex'], 'ill', 3, value := 'flu')", "SA102"),
        ("cube_kl('people', 'published', ['age', 'sex'], 'ill', 1.5)", "SA102"),
        ("cube_kl('people', 'published', ['age', 'sex'], 'ill', 'two')", "SA102"),
        ("cube_kl('people', 'published', ['age', 'sex'], 'ill', 1, value := 'plague')", "SA102"),
        ("cube_kl('people', 'published', ['a','b','c','d','e','f','g','h','i','j'], 'ill', NULL)", "SA102"),
        ("kl_divergence('people', 'published', ['age', 'sex'], NULL)", "SA102"),
        ("kl_divergence('people', 'published', [], 'ill')", "SA102"),
        ("kl_divergence('people', 'published', ['age', 'ill'], 'ill')", "SA101"),
        ("kl_divergence('people', 'published', ['age', 'size'], 'ill')", "SA101"),
        ("kl_divergence('people', 'published', ['age'], 'illness')", "SA101"),
        ("kl_divergence('people', '(SELECT age FROM published)', ['age'], 'ill')", "SA301"),
        ("kl_divergence('people', '(SELECT age, ''ague'' AS ill FROM published)', ['age'], 'ill')", "SA301"),
        ("kl_divergence('people', '(SELECT age, ''{flu, ague}'' AS ill FROM published)', ['age'], 'ill')", "SA301"),
        ("kl_divergence('people', '(SELECT age, [''flu'', NULL] AS ill FROM published)', ['age'], 'ill')", "SA301"),
        ("kl_divergence('people', '(SELECT age, []::VARCHAR[] AS ill FROM published)', ['age'], 'ill')", "SA301"),
        ("kl_divergence('people', '(SELECT age, NULL AS ill FROM published)', ['age'], 'ill')", "SA301"),
        ("kl_divergence('people', '(SELECT ''[8, 9]'' AS age, ill FROM published)', ['age'], 'ill')", "SA301"),
        (
            "cube_kl('people', '(SELECT age, ''ague'' AS ill FROM published)', ['age'], 'ill', 1, value := 'flu')",
            "SA301",
        ),
        ("kl_divergence('people; DROP TABLE people', 'published', ['age'], 'ill')", "SA103"),
        ("kl_divergence('(SELECT age, [ill] AS ill FROM people)', 'published', ['age'], 'ill')", "SA104"),
        ("kl_divergence('people', 'published', ['age'], 'ill', {'sex': 'towns'})", "SA101"),
    ],
)
def test_what_cannot_be_answered_is_an_error_without_values(four: TestConnection, call: str, code: str) -> None:
    error = four.refusal(f"FROM {call}")
    assert error.startswith(f"[{code}]")
    assert not any(value in error for value in ("ague", "plague", "gout", "9"))
