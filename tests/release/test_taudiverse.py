"""taudiverse through SQL: every class is (τ,l)-diverse, labels stand above what they hide, and no row is lost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

DISEASES = {
    "flu": ("flu", "lung", "any"),
    "asthma": ("asthma", "lung", "any"),
    "ulcer": ("ulcer", "stomach", "any"),
    "gastritis": ("gastritis", "stomach", "any"),
    "rash": ("rash", "rash", "any"),
}
CITIES = {city: (city, city[0], "*") for city in ("n1", "n2", "s1", "s2")}
TYPES = {"id": "INTEGER", "age": "INTEGER", "city": "VARCHAR", "disease": "VARCHAR", "ward": "INTEGER"}
TAXONOMY = "taxonomy := {'city': 'cities', 'disease': 'diseases'}"

people = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 3, 4, None]),
        st.sampled_from([*CITIES]),
        st.sampled_from(["flu", *DISEASES]),  # flu is more frequent
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=25,
)
parameters = st.tuples(st.integers(2, 4), st.fractions(0, 1)).map(
    lambda drawn: (drawn[0], Fraction(1, drawn[0]) + drawn[1] * Fraction(drawn[0] - 1, drawn[0]) * Fraction(9, 10))
)


@pytest.fixture(scope="module", autouse=True)
def taxonomies(con: TestConnection) -> None:
    wide = {"leaf": "VARCHAR", "area": "VARCHAR", "top": "VARCHAR"}
    store(con, "diseases", wide, [*DISEASES.values()])
    store(con, "cities", wide, [*CITIES.values()])


def keep(con: TestConnection, rows: Sequence[Row]) -> list[Row]:
    numbered = [(i, *row) for i, row in enumerate(rows)]
    store(con, "people", TYPES, numbered)
    return numbered


def is_diverse(labels: Sequence[str], base: dict[str, Fraction], tau: Fraction, l: int) -> bool:
    """Def. 11, row by row: `base` has the weights of base values."""
    induced: dict[str, Fraction] = defaultdict(Fraction)
    for label in labels:
        below = [value for value in base if label in DISEASES[value]]
        for value in below:
            induced[value] += base[value] / sum(base[other] for other in below) / len(labels)
    cumulative = Fraction(0)
    for j, frequency in enumerate(sorted(induced.values(), reverse=True), 1):
        cumulative += frequency
        if j < l and cumulative > tau + (1 - tau) * (j - 1) / (l - 1) + Fraction(1, 10**8):
            return False
    return True


def classes(released: Sequence[Row]) -> list[list[str]]:
    """The sensitive labels of each class: (id, age, city, disease)."""
    by_class: dict[Row, list[str]] = defaultdict(list)
    for _, age, city, disease in released:
        by_class[age, city].append(disease)
    return [*by_class.values()]


@settings(max_examples=examples(40))
@given(people, parameters)
def test_every_legal_setting_yields_a_release_that_holds(
    con: TestConnection, drawn: list[Row], setting: tuple[int, Fraction]
) -> None:
    rows, (l, tau) = keep(con, drawn), setting
    present = {row[3] for row in rows}
    call = f"taudiverse('people', ['age', 'city'], 'disease', {float(tau)}, {l}, {TAXONOMY}, keep := ['id'])"
    if len(present) < l:
        assert con.refusal(f"FROM {call}").startswith("[SA202]" if len(rows) < l else "[SA102]")
        return
    released = con.rows(f"SELECT id, age, city, disease FROM {call}")
    of_id = {row[0]: row for row in rows}
    assert sorted(row[0] for row in released) == sorted(of_id), "no row is lost"
    base = dict.fromkeys(sorted(present), Fraction(1))
    for labels in classes(released):
        assert is_diverse(labels, base, Fraction(float(tau)), l)
    for i, age, city, disease in released:
        assert age in (None if of_id[i][1] is None else str(of_id[i][1]), "*")
        assert city in CITIES[of_id[i][2]]
        assert disease in DISEASES[of_id[i][3]]


@settings(max_examples=examples(15))
@given(people, parameters)
def test_typed_releases_say_the_same(con: TestConnection, drawn: list[Row], setting: tuple[int, Fraction]) -> None:
    rows, (l, tau) = keep(con, drawn), setting
    if len({row[3] for row in rows}) < l:
        return
    how = f"'people', ['age', 'city'], 'disease', {float(tau)}, {l}, {TAXONOMY}, keep := ['id']"
    text = dict(con.rows(f"SELECT id, disease FROM taudiverse({how})"))
    typed = con.rows(f"SELECT id, disease, city, typeof(age) FROM taudiverse({how}, format := 'typed')")
    for i, disease, city, age_type in typed:
        assert disease == sorted(value for value, path in DISEASES.items() if text[i] in path)
        assert city == ["*"] or set(city) <= set(CITIES)
        assert age_type == "STRUCT(lo INTEGER, hi INTEGER)"


@settings(max_examples=examples(15))
@given(people, parameters)
def test_a_release_verifies_from_its_own_rows_if_every_leaf_occurs(
    con: TestConnection, drawn: list[Row], setting: tuple[int, Fraction]
) -> None:
    everything = [(1, "n1", disease, 0) for disease in DISEASES]
    _, (l, tau) = keep(con, [*drawn, *everything]), setting
    for format in ("text", "typed"):
        how = f"'people', ['age', 'city'], 'disease', {float(tau)}, {l}, {TAXONOMY}, format := '{format}'"
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM taudiverse({how})")
        levels = "taxonomy := {'disease': 'diseases'}"
        [(achieved,)] = con.rows(f"FROM tau_privacy('release', ['age', 'city'], 'disease', {l}, {levels})")
        assert achieved <= float(tau) + 1e-8
        broken = f"violations('release', ['age', 'city'], 'disease', tau := {float(tau)}, l := {l}, {levels})"
        assert con.rows(f"FROM {broken}") == []


@settings(max_examples=examples(15))
@given(people, st.randoms())
def test_neither_the_order_of_rows_nor_threads_matter(con: TestConnection, drawn: list[Row], random: object) -> None:
    everything = [(1, "n1", disease, 0) for disease in DISEASES]
    rows = keep(con, [*drawn, *everything])
    call = f"FROM taudiverse('people', ['age', 'city'], 'disease', 0.4, 4, {TAXONOMY}, keep := ['ward'])"
    released = con.rows(call)
    random.shuffle(rows)  # type: ignore[attr-defined]
    store(con, "people", TYPES, rows)
    con.execute("SET threads = 4")
    assert con.rows(call) == released
    con.execute("SET threads = 1")


@settings(max_examples=examples(15))
@given(people)
def test_several_sensitive_attributes_are_all_protected(con: TestConnection, drawn: list[Row]) -> None:
    rows = keep(con, [*drawn, *((2, "s1", disease, i % 4) for i, disease in enumerate(DISEASES))])
    call = f"taudiverse('people', ['age', 'city'], ['disease', 'ward'], 0.5, 3, {TAXONOMY}, keep := ['id'])"
    released = con.rows(f"SELECT id, age, city, disease, ward FROM {call}")
    assert len(released) == len(rows)
    for labels in classes([row[:4] for row in released]):
        assert is_diverse(labels, dict.fromkeys(DISEASES, Fraction(1)), Fraction(1, 2), 3)
    wards: dict[Row, list[str]] = defaultdict(list)
    for _, age, city, _, ward in released:
        wards[age, city].append(ward)
    present = {row[4] for row in rows}
    for labels in wards.values():
        stars = Fraction(labels.count("*"), len(present))
        shares = sorted(((labels.count(str(ward)) + stars) / len(labels) for ward in present), reverse=True)
        assert shares[0] <= Fraction(1, 2) + Fraction(1, 10**8)
        assert sum(shares[:2]) <= Fraction(3, 4) + Fraction(1, 10**8)


@settings(max_examples=examples(15))
@given(people, st.lists(st.integers(1, 9), min_size=5, max_size=5))
def test_weights_are_what_a_label_stands_for(con: TestConnection, drawn: list[Row], weights: list[int]) -> None:
    base = {disease: Fraction(weight) for disease, weight in zip(DISEASES, weights, strict=True)}
    store(con, "believed", {"value": "VARCHAR", "weight": "DOUBLE"}, [(value, int(w)) for value, w in base.items()])
    rows = keep(con, drawn)
    call = (
        f"taudiverse('people', ['age', 'city'], 'disease', 0.6, 3, {TAXONOMY}, keep := ['id'], "
        "options := {'weights': 'believed'})"
    )
    if not is_diverse(["any"], base, Fraction(3, 5), 3):
        assert con.refusal(f"FROM {call}").startswith("[SA201] options.weights")
        return
    released = con.rows(f"SELECT id, age, city, disease FROM {call}")
    assert len(released) == len(rows)
    for labels in classes(released):
        assert is_diverse(labels, base, Fraction(3, 5), 3)


def test_the_first_quasi_identifier_is_the_most_important(con: TestConnection) -> None:
    """Both columns look alike, and every value of one of them has to go."""
    con.execute(
        "CREATE OR REPLACE TABLE t AS SELECT i // 4 AS a, i % 4 AS b, i // 4 = i % 4 AS s FROM range(16) AS r(i)"
    )
    for first, second in ("ab", "ba"):
        release = f"taudiverse('t', ['{first}', '{second}'], 's', 0.75, 2)"
        values = con.rows(f"SELECT {first}, {second} FROM {release}")
        assert sum(row[0] != "*" for row in values) > sum(row[1] != "*" for row in values)


def test_numbers_may_have_bins(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS age, i % 2 AS s FROM range(32) AS r(i)")
    flat = con.rows("SELECT DISTINCT age FROM taudiverse('t', ['age'], 's', 0.5, 2)")
    assert flat == [("*",)]
    binned = con.rows(
        "SELECT age, count(*) FROM taudiverse('t', ['age'], 's', 0.5, 2, options := {'bins': 16}) GROUP BY 1"
    )
    assert sorted(binned) == sorted((f"[{low}, {low + 1}]", 2) for low in range(0, 32, 2))


def test_a_dominating_value_is_generalized_as_little_as_it_takes(con: TestConnection) -> None:
    """Example 33: two of six get the label above; the six induce half of all twelve then."""
    table = [("flu",)] * 7 + [("asthma",)] + [("ulcer",)] * 2 + [("gastritis",)] * 2
    store(con, "t", {"disease": "VARCHAR"}, table)
    released = con.rows("""
        SELECT disease, count(*) FROM taudiverse('(SELECT 1 AS x, disease FROM t)', ['x'], 'disease', 0.5, 3,
            taxonomy := {'disease': 'diseases'}) GROUP BY disease
    """)
    assert Counter(dict(released)) == Counter(flu=5, lung=2, asthma=1, ulcer=2, gastritis=2)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("0.2, 3", "SA102", "For l = 3, it goes from 1/3 to below 1"),
        ("1, 3", "SA102", "tau = 1 is out of range"),
        ("0, 3", "SA102", "tau = 0"),
        ("NULL, 3", "SA102", "tau must be a number"),
        ("0.5, 1", "SA102", "l = 1 is out of range"),
        ("0.5, 6", "SA102", "l = 6 is out of range: a sensitive attribute has 5 values"),
        ("0.5, 3, algo := 'hilbert'", "SA102", "Choose one of: sweep"),
        ("0.5, 3, options := {'suppress': 0.1}", "SA102", "It takes: bins, weights"),
        ("0.5, 3, options := {'weights': 'nothing'}", "", "nothing"),
        ("0.5, 3, options := {'weights': 'incomplete'}", "SA102", "options.weights"),
        ("0.5, 3, options := {'weights': 'negative'}", "SA102", "negative"),
        ("0.5, 3, options := {'weights': 'twice'}", "SA102", "twice"),
        ("0.5, 3, options := {'weights': 7}", "SA102", "options.weights"),
        ("0.5, 3, taxonomy := {'id': 'diseases'}", "SA101", "which is not in qi or sa"),
        ("0.5, 3, taxonomy := {'disease': 'cities'}", "SA105", "does not cover the data"),
        ("0.5, 3, format := 'list'", "SA102", "format"),
    ],
)
def test_wrong_arguments_are_refused(con: TestConnection, arguments: str, code: str, words: str) -> None:
    keep(con, [(i, "n1", disease, 0) for i, disease in enumerate([*DISEASES] * 2)])
    even = [(disease, 1) for disease in DISEASES]
    for name, rows in {
        "incomplete": even[1:],
        "negative": [*even[1:], ("flu", -1)],
        "twice": [*even, ("flu", 1)],
    }.items():
        store(con, name, {"value": "VARCHAR", "weight": "DOUBLE"}, rows)
    if not code:
        with pytest.raises(Exception, match=words):
            con.rows(f"FROM taudiverse('people', ['age'], 'disease', {arguments})")
        return
    refused = con.refusal(f"FROM taudiverse('people', ['age'], 'disease', {arguments})")
    assert refused.startswith(f"[{code}]")
    assert words in refused
    assert not any(disease in refused for disease in DISEASES)


def test_an_empty_table_is_sa202(con: TestConnection) -> None:
    keep(con, [])
    assert con.refusal("FROM taudiverse('people', ['age'], 'disease', 0.5, 2)").startswith("[SA202] the table is empty")
