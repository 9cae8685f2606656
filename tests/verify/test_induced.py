"""Induced frequencies and (tau,l)-diversity: the paper's examples, and random tables with random trees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from connections import TestConnection, store
from hospital import DISEASES, MICRODATA, RELEASE
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles.induced import Cell, Table, Tree

from .tables import checked, close

QI = "['age', 'zip']"
LEVELS = "taxonomy := {'disease': 'diseases'}"
COLUMNS = dict.fromkeys(("age", "zip", "disease"), "VARCHAR")


@pytest.fixture(scope="module", autouse=True)
def hospital(con: TestConnection) -> None:
    store(con, "microdata", COLUMNS, MICRODATA)
    store(con, "release", COLUMNS, RELEASE)
    store(con, "diseases", dict.fromkeys(("leaf", "kind", "root"), "VARCHAR"), DISEASES)


def test_example_8_hepatitis_is_half_of_the_first_class(con: TestConnection) -> None:
    asked = f"FROM induced_frequencies('release', {QI}, 'disease', {LEVELS}) WHERE age = '[20,29]'"
    assert con.rows(asked) == [
        ("[20,29]", "1000*", "hepatitis", 0.5, 1, 0.5),
        ("[20,29]", "1000*", "anemia", 0.25, 2, 0.75),
        ("[20,29]", "1000*", "tuberculosis", 0.25, 3, 1.0),
        ("[20,29]", "1000*", "flu", 0.0, 4, 1.0),
    ]


def test_examples_10_and_12_all_classes_take_what_a_half_and_three_allow(con: TestConnection) -> None:
    found = con.rows(f"SELECT cumulative FROM induced_frequencies('release', {QI}, 'disease', {LEVELS})")
    assert [cumulative for (cumulative,) in found] == [0.5, 0.75, 1.0, 1.0] * 3
    assert con.rows(f"FROM violations('release', {QI}, 'disease', tau := 0.5, l := 3, {LEVELS})") == []
    assert con.rows(f"SELECT assert_private('release', {QI}, 'disease', tau := 0.5, l := 3, {LEVELS})") == [(True,)]
    assert con.rows(f"FROM tau_privacy('release', {QI}, 'disease', 3, {LEVELS})") == [(0.5,)]
    assert con.rows(f"FROM excessive_protection('release', {QI}, 'disease', 0.5, 3, {LEVELS})") == [(0.0,)]


def test_the_microdata_as_a_whole_is_not_diverse_before_two_tuples_are_generalized(con: TestConnection) -> None:
    """Example 33."""
    for tuples, holds in ((0, False), (1, False), (2, True)):
        disease = f"CASE WHEN rowid < {tuples} THEN ''hemal disease'' ELSE disease END AS disease"
        table = f"(SELECT 1 AS one, {disease} FROM microdata)"
        found = con.rows(f"FROM violations('{table}', ['one'], 'disease', tau := 0.5, l := 3, {LEVELS})")
        assert (found == []) == holds


def test_the_class_of_example_34_holds_without_one_tuberculosis(con: TestConnection) -> None:
    for but, broken in (("", [(["tau"], [close(0.1)])]), (" AND age <> ''37''", [])):
        older = f"(SELECT 1 AS one, disease FROM microdata WHERE age > ''30''{but})"
        arguments = f"'{older}', ['one'], 'disease', tau := 0.5, l := 3, {LEVELS}"
        assert con.rows(f"SELECT broken, by_how_much FROM violations({arguments})") == broken


@pytest.mark.parametrize(("top", "others", "c", "l"), [(120, 78, 2, 5), (80, 52, 1, 4)])
def test_theorem_23_what_is_weaker_does_not_imply_it(
    con: TestConnection, top: int, others: int, c: int, l: int
) -> None:
    """The 432 and the 288 tuples: recursive (c,l)-diverse, but not (1/4,4)-diverse."""
    rows = [(1, "a1")] * top + [(1, f"a{value}") for value in range(2, 6) for _ in range(others)]
    assert len(rows) in (432, 288)
    store(con, "tuples", {"q": "INTEGER", "s": "VARCHAR"}, rows)
    ((smallest,),) = con.rows(f"FROM recursive_c('tuples', ['q'], 's', {l})")
    assert smallest < c
    assert con.rows("SELECT broken FROM violations('tuples', ['q'], 's', tau := 0.25, l := 4)") == [(["tau"],)]
    ((allowed,),) = con.rows("SELECT c FROM stronger_requirements(0.25, 4, 5) WHERE NOT c IS NULL AND l = 5")
    assert allowed == pytest.approx(4 / 3)


def test_example_22_simple_l_is_the_weakest_simple_one(con: TestConnection) -> None:
    assert con.rows("FROM stronger_requirements(0.25, 4, 5)")[0] == (None, 4)


def test_example_25_the_weakest_recursive_requirements_lie_on_one_curve(con: TestConnection) -> None:
    """Corollary 24 both ways: the c of an l, and the l of that c."""
    for u, m in ((2, 2), (2, 7), (3, 14), (7, 14), (14, 14)):
        found = con.rows(f"FROM stronger_requirements({1 / u!r}, {u}, {m})")
        first = Fraction(m + 1) - Fraction(m - 1, u - 1)
        assert found[0] == (None, u)
        assert [l for _, l in found[1:]] == [l for l in range(1, m + 1) if l >= first]
        for c, l in found[1:]:
            assert c == close(Fraction(m - 1, (u - 1) * (m - l + 1)))
            assert c >= 1
            assert l == pytest.approx(m + 1 - (m - 1) / (c * (u - 1)))


@checked
@given(counts=st.lists(st.integers(1, 60), min_size=2, max_size=6), l=st.integers(2, 6), data=st.data())
def test_what_is_stronger_implies_it(con: TestConnection, counts: list[int], l: int, data: st.DataObject) -> None:
    m = len(counts)
    assume(l <= m)
    tau = data.draw(st.integers(-(-60 // l), 59).map(lambda part: Fraction(part, 60)))
    rows = [(1, str(value)) for value, n in enumerate(counts) for _ in range(n)]
    counts = sorted(counts, reverse=True)
    for c, stronger in con.rows(f"FROM stronger_requirements({float(tau)!r}, {l}, {m})"):
        met = counts[0] * stronger <= sum(counts) if c is None else counts[0] < c * sum(counts[stronger - 1 :])
        assert not met or Table(rows).holds(tau, l)


def trees() -> st.SearchStrategy[Tree]:
    """A few leaves below three labels below a root."""

    def tree(parents: list[int]) -> Tree:
        return [(letter, f"L{parent}", "root") for letter, parent in zip("abcdefg", parents, strict=False)]

    return st.lists(st.integers(0, 2), min_size=2, max_size=7).map(tree)


@st.composite
def tables(draw: st.DrawFn, with_tree: bool) -> Table:
    """Classes of published values: base values, labels, stars, lists, NULL."""
    tree = draw(trees()) if with_tree else []
    leaves = [path[0] for path in tree] or list("abcd")
    labels = sorted({label for path in tree for label in path})
    single: st.SearchStrategy[Any] = st.sampled_from([*leaves, *labels, "*", None])
    lists = st.lists(st.sampled_from(leaves), min_size=2, max_size=4).map(tuple)
    rows = draw(st.lists(st.tuples(st.integers(0, 3), single | lists), min_size=1, max_size=25))
    weights = None
    if draw(st.booleans()):
        known = {*leaves, *(["*"] if not tree else []), None}
        weights = {value: Fraction(draw(st.integers(1, 4))) for value in sorted(known, key=str)}
    return Table(rows, tree, weights)


@st.composite
def tables_of_many_values(draw: st.DrawFn, with_tree: bool) -> Table:
    """Labels, stars and lists that stand for more base values than a class names, some in each other's."""
    leaves = [f"v{number:02}" for number in range(draw(st.integers(36, 45)))]
    tree = [(leaf, f"L{number // 18}", f"H{number // 36}", "root") for number, leaf in enumerate(leaves)]
    labels = ["L0", "L1", "H0", "root"] if with_tree else ["*"]
    single: st.SearchStrategy[Any] = st.sampled_from([*leaves[:3], leaves[-1], None, *labels, *labels])
    lists = st.just((*leaves[:20], leaves[-1]))
    rows = draw(st.lists(st.tuples(st.integers(0, 3), single | lists), min_size=1, max_size=20))
    weights = None
    if not with_tree or draw(st.booleans()):
        weights = {value: Fraction(draw(st.integers(1, 3))) for value in (*leaves, None)}
    return Table(rows, tree if with_tree else [], weights)


def any_tables() -> st.SearchStrategy[Table]:
    """With and without a tree, of few values and of many."""
    few, many = tables(with_tree=True) | tables(with_tree=False), st.booleans().flatmap(tables_of_many_values)
    return few | many


def publish(cell: Cell, typed: bool) -> Any:
    """A cell as a release has it: lists as text, or every value as a list."""
    if typed:
        return None if cell is None else list(cell) if isinstance(cell, tuple) else [cell]
    return "{" + ", ".join(map(str, cell)) + "}" if isinstance(cell, tuple) else cell


def load(con: TestConnection, table: Table, typed: bool) -> str:
    """Make the tables; returns the arguments after l."""
    kind = "VARCHAR[]" if typed else "VARCHAR"
    store(con, "t", {"q": "INTEGER", "s": kind}, [(name, publish(cell, typed)) for name, cell in table.rows])
    arguments = ""
    if table.tree:
        store(
            con,
            "levels",
            dict.fromkeys(("leaf", "label", "root", "top")[: len(table.tree[0])], "VARCHAR"),
            list(table.tree),
        )
        arguments += ", taxonomy := {'s': 'levels'}"
    if table.weights is not None:
        weights = [(value, float(weight)) for value, weight in table.weights.items()]
        store(con, "weights", {"value": "VARCHAR", "weight": "DOUBLE"}, weights)
        arguments += ", weights := 'weights'"
    return arguments


@checked
@given(table=any_tables(), typed=st.booleans())
def test_induced_frequencies_are_the_mean_shares(con: TestConnection, table: Table, typed: bool) -> None:
    more = load(con, table, typed)
    expected = [
        (name, each.value, near(each.frequency), each.rank, near(each.cumulative))
        for name, ranks in table.ranks().items()
        for each in ranks
    ]
    assert con.rows(f"FROM induced_frequencies('t', ['q'], 's'{more})") == expected


@checked
@given(table=any_tables(), l=st.integers(2, 7), typed=st.booleans())
def test_tau_privacy_is_the_smallest_tau_that_holds(con: TestConnection, table: Table, l: int, typed: bool) -> None:
    more = load(con, table, typed)
    if l > len(table.base_values):
        assert con.refusal(f"FROM tau_privacy('t', ['q'], 's', {l}{more})").startswith(f"[SA102] l = {l} is out of")
        return
    ((tau,),) = con.rows(f"FROM tau_privacy('t', ['q'], 's', {l}{more})")
    smallest = table.smallest_tau(l)
    assert tau == (None if smallest is None else near(smallest))
    if tau is not None:
        assert con.rows(f"FROM violations('t', ['q'], 's', tau := {tau!r}, l := {l}{more})") == []
        if smallest > Fraction(1, l):
            below = max(tau - 1e-6, 1 / l)
            assert con.rows(f"FROM violations('t', ['q'], 's', tau := {below!r}, l := {l}{more})") != []


@checked
@given(table=any_tables(), l=st.integers(2, 4), part=st.integers(0, 19))
def test_violations_and_excess_are_those_of_the_definition(
    con: TestConnection, table: Table, l: int, part: int
) -> None:
    more = load(con, table, typed=False)
    tau = Fraction(1, l) + (1 - Fraction(1, l)) * Fraction(part, 20)
    arguments = f"'t', ['q'], 's', tau := {float(tau)!r}, l := {l}{more}"
    found = con.rows(f"SELECT q, broken, by_how_much FROM violations({arguments}) ORDER BY q")
    expected = {name: excess for name, excess in table.excess_of_classes(tau, l).items() if excess > 0}
    assert found == [(name, ["tau"], [near(excess)]) for name, excess in expected.items()]
    if l <= len(table.base_values):
        assert con.rows(f"FROM excessive_protection({arguments})") == [(near(table.excessive_protection(tau, l)),)]


def near(measure: Fraction) -> Any:
    return pytest.approx(float(measure), rel=1e-12, abs=1e-12)


def test_stars_in_every_class_do_not_multiply_with_the_values(con: TestConnection) -> None:
    """A star in each of 2,000 classes stands for 20,000 values: these are counted, not listed."""
    con.execute(
        """
        CREATE OR REPLACE TABLE t AS
        SELECT i % 2000 AS q, CASE WHEN i // 2000 % 4 = 0 THEN '*' ELSE 'v' || i % 20000 END AS s
        FROM range(80000) AS r(i)
        """
    )
    con.execute("SET memory_limit = '300MB'; SET max_temp_directory_size = '0MB'")
    try:
        assert con.rows("FROM tau_privacy('t', ['q'], 's', 5)") == [(0.2,)]
        assert con.rows("SELECT count(*) FROM violations('t', ['q'], 's', tau := 0.5, l := 5)") == [(0,)]
        assert len(con.rows("FROM excessive_protection('t', ['q'], 's', 0.5, 5)")) == 1
    finally:
        con.execute("RESET memory_limit; RESET max_temp_directory_size")


def test_an_empty_table_has_no_rows_and_no_measures(con: TestConnection) -> None:
    empty = "'(FROM release WHERE FALSE)'"
    for more in ("", f", {LEVELS}"):
        assert con.rows(f"FROM induced_frequencies({empty}, {QI}, 'disease'{more})") == []
        assert con.rows(f"FROM tau_privacy({empty}, {QI}, 'disease', 3{more})") == [(None,)]
        assert con.rows(f"FROM excessive_protection({empty}, {QI}, 'disease', 0.5, 3{more})") == [(None,)]
        assert con.rows(f"FROM violations({empty}, {QI}, 'disease', tau := 0.5, l := 3{more})") == []


def test_several_sensitive_attributes_are_judged_one_by_one(con: TestConnection) -> None:
    table = "'(SELECT age, zip, disease, ''d'' || rowid % 4 AS doctor FROM release)'"
    found = con.rows(f"FROM tau_privacy({table}, {QI}, ['disease', 'doctor'], 3, {LEVELS})")
    assert found == [("disease", 0.5), ("doctor", close(found[1][1]))]
    weights = "weights := {'doctor': '(SELECT ''d'' || unnest(range(4)) AS value, 1 AS weight)'}"
    assert con.rows(f"FROM tau_privacy({table}, {QI}, ['disease', 'doctor'], 3, {LEVELS}, {weights})") == found


def test_values_that_the_source_lacks_can_be_switched_off(con: TestConnection) -> None:
    """The paper weighs what never occurs with 0; a table alone does not tell what occurred in its source."""
    frequency = (
        "SELECT DISTINCT value, frequency FROM induced_frequencies('(SELECT 1 AS q, ''any disease'' AS s)', ['q'], 's'"
    )
    tree = "taxonomy := {'s': 'diseases'}"
    all_four = con.rows(f"{frequency}, {tree}) ORDER BY value")
    assert [each for _, each in all_four] == [0.25] * 4
    weights = "weights := '(SELECT DISTINCT disease AS value, 1 AS weight FROM microdata WHERE disease <> ''flu'')'"
    without_flu = con.rows(f"{frequency}, {tree}, {weights}) ORDER BY value")
    assert [each for _, each in without_flu] == [close(1 / 3), 0.0, close(1 / 3), close(1 / 3)]


def test_numbers_of_equal_frequency_are_ranked_in_their_order(con: TestConnection) -> None:
    found = con.rows(
        "SELECT value FROM induced_frequencies('(SELECT 1 AS q, unnest([10, 9, NULL, -3]) AS s)', ['q'], 's')"
    )
    assert found == [("-3",), ("9",), ("10",), (None,)]


def test_l_is_no_bound_of_its_own_beside_tau(con: TestConnection) -> None:
    arguments = f"'release', {QI}, 'disease'"
    assert con.rows(f"FROM violations({arguments}, l := 3)") != []
    assert con.rows(f"FROM violations({arguments}, l := 3, tau := 0.5, {LEVELS})") == []


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("violations({0}, tau := 0.5)", "[SA102] tau is given without l."),
        ("violations({0}, tau := 0.3, l := 3)", "[SA102] tau = 0.3 is out of range."),
        ("violations({0}, tau := 1, l := 3)", "[SA102] tau = 1 is out of range."),
        ("violations({0}, tau := 0.5, l := 2.5)", "[SA102] l must be a whole number"),
        ("violations({0}, tau := 0.9, l := 1)", "[SA102] l = 1 is out of range."),
        ("violations({0}, l := 2, taxonomy := {{'disease': 'diseases'}})", "[SA102] taxonomy is given without tau."),
        ("violations({0}, l := 2, weights := 'weights')", "[SA102] weights is given without tau."),
        ("violations('release', ['age'], tau := 0.5, l := 3)", "[SA102] l needs sa."),
        ("tau_privacy({0}, NULL)", "[SA102] l must be a number, not NULL."),
        ("tau_privacy({0}, 1)", "[SA102] l = 1 is out of range."),
        ("tau_privacy({0}, 6)", "[SA102] l = 6 is out of range. It ends at the number of base values, 5."),
        ("tau_privacy({0}, 5, taxonomy := {{'disease': 'diseases'}})", "[SA102] l = 5 is out of range. It ends at the"),
        ("tau_privacy({0}, 3, taxonomy := {{'age': 'diseases'}})", "[SA101] taxonomy names column 'age'"),
        ("tau_privacy({0}, 3, weights := 'diseases')", "[SA101]"),
        (
            "tau_privacy({0}, 3, weights := '(SELECT 1 AS value, -1 AS weight)')",
            "[SA102] weights: a weight is negative",
        ),
        ("tau_privacy({0}, 3, weights := '(SELECT 1 AS value, ''x'' AS weight)')", "[SA102] weights: a weight is neg"),
        ("tau_privacy({0}, 3, weights := '(SELECT unnest([1, 1]) AS value, 1 AS weight)')", "[SA102] weights: a value"),
        ("tau_privacy({0}, 3, weights := '(SELECT 1 AS value, 1 AS weight)')", "[SA102] weights: a published value"),
        ("tau_privacy({0}, 3, weights := 7)", "[SA102] weights must be a struct or map"),
        (
            "tau_privacy('(SELECT 1 AS q, ''measles'' AS disease)', ['q'], 'disease', 3, "
            "taxonomy := {{'disease': 'diseases'}})",
            "[SA105] the taxonomy of column 'disease' does not cover the data: 1 distinct value",
        ),
        ("excessive_protection({0}, NULL, 3)", "[SA102] tau must be a number, not NULL."),
        ("excessive_protection({0}, 0.5, 9)", "[SA102] l = 9 is out of range."),
        ("excessive_protection({0}, 0.2, 3)", "[SA102] tau = 0.2 is out of range."),
        ("induced_frequencies({0}, taxonomy := {{'disease': 'microdata'}})", "[SA105]"),
        ("stronger_requirements(0.5, 3, 2)", "[SA102] l = 3 is out of range."),
        ("stronger_requirements(0.1, 3, 5)", "[SA102] tau = 0.1 is out of range."),
        ("stronger_requirements(0.5, 1, 5)", "[SA102] l = 1 is out of range."),
        ("stronger_requirements('half', 3, 5)", "[SA102] tau must be a number, not text."),
    ],
)
def test_what_means_nothing_is_refused(con: TestConnection, call: str, error: str) -> None:
    refused = con.refusal("FROM " + call.format(f"'release', {QI}, 'disease'"))
    assert refused.startswith(error)
    assert "measles" not in refused
