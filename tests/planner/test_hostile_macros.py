"""Macros of a database change nothing of what our statements mean, however they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.datasets import taxonomy_files
from sqlanon.functions import FUNCTIONS

pytestmark = pytest.mark.oldest

QI = "['age', 'gender', 'country']"
COUNTRIES = taxonomy_files("census")["country"].as_posix()
COUNTRY = "taxonomy := {'country': 'census_taxonomy(''country'')'}"
OCCUPATION = "taxonomy := {'occupation': 'levels'}"
RANDOMIZED = "l := {'occupation': 3}, t := {'country': 0.4}"
OWNED = "system.main.struct_pack(domain := system.main.struct_pack(occupation := 'levels'))"
ITALIANS = "SELECT occupation, count(*) FROM p WHERE country = ''Italy'' OR occupation > ''N'' GROUP BY 1"
BINNED = "system.main.struct_pack(bins := system.main.struct_pack(age := 8))"
ORDERED = "system.main.struct_pack(ground := system.main.struct_pack(age := 'ordered'))"
MAKE = (
    "CREATE TABLE people AS FROM census(300, seed := 3)",
    f"CREATE TABLE release AS FROM ldiverse('people', {QI}, 'occupation', 3)",
    f"CREATE TABLE typed AS FROM ldiverse('people', {QI}, 'occupation', 3, format := 'typed', {COUNTRY})",
    f"CREATE TABLE anatomized AS FROM ldiverse('people', {QI}, 'occupation', 3, algo := 'anatomy', seed := 5)",
    "CREATE TABLE levels AS FROM census_taxonomy('occupation')",
    f"CREATE TABLE listed AS FROM randomize('people', {RANDOMIZED}, seed := 7)",
    f"CREATE TABLE parameters AS FROM randomize_params('people', {RANDOMIZED})",
    "CREATE TABLE w AS SELECT DISTINCT occupation AS value, 1 + length(occupation) AS weight FROM people",
)
STATEMENTS = (
    "FROM census(50)",
    "FROM wide_census(5)",
    "FROM adult() LIMIT 5",
    "FROM census_taxonomy('country')",
    "FROM numeric_taxonomy('people', 'age')",
    "FROM numeric_taxonomy('people', 'age', method := 'frequency')",
    "FROM numeric_taxonomy('people', 'age', cuts := [30, 60])",
    "FROM prefix_taxonomy('people', 'age')",
    "FROM date_taxonomy('(SELECT DATE ''2024-02-29'' AS seen)', 'seen')",
    "FROM date_taxonomy('(SELECT TIMESTAMP ''2024-02-29 10:00:00'' AS seen)', 'seen')",
    "FROM edge_taxonomy('(VALUES (''a'', ''b''), (''b'', ''c''), (''d'', ''e''))', 'col0', 'col1')",
    "FROM check_taxonomy('numeric_taxonomy(''people'', ''age'')', 'people', 'salary')",
    f"FROM check_taxonomy('{COUNTRIES}', 'people', 'country')",
    f"FROM kanonymous('people', {QI}, 5, taxonomy := {{'country': '{COUNTRIES}'}})",
    f"FROM kanonymous('people', {QI}, 5)",
    f"FROM kanonymous('people', {QI}, 5, format := 'typed')",
    f"FROM kanonymous('people', {QI}, 5, {COUNTRY})",
    f"FROM kanonymous('people', {QI}, 5, {COUNTRY}, format := 'typed')",
    f"FROM ldiverse('people', {QI}, 'occupation', 3, keep := ['salary'])",
    f"FROM ldiverse('people', {QI}, 'occupation', 3, recode := 'none')",
    f"FROM ldiverse('people', {QI}, 'occupation', 3, recode := 'none', format := 'typed')",
    f"FROM ldiverse('people', {QI}, 'occupation', 3, recode := 'suppress', nulls := 'wildcard')",
    f"FROM ldiverse('people', {QI}, ['occupation', 'salary'], 3, algo := 'bsgi', seed := 1)",
    f"FROM ldiverse('people', {QI}, 'occupation', 2, entity := 'salary')",
    f"FROM kanonymous('people', {QI}, 3, entity := 'salary')",
    f"FROM anonymize('people', {QI}, ['occupation', 'salary'], l := 1.5, k := 4, seed := 1, entity := 'education')",
    f"FROM anonymize('people', {QI}, 'occupation', k := 4, t := 0.6, beta := 40, c := 2, l := 3, seed := 1)",
    "FROM anonymize('people', ['gender'], 'salary', entropy_l := 1.2, delta := 3, algo := 'incognito')",
    f"FROM taudiverse('people', {QI}, 'occupation', 0.5, 2, k := 5)",
    f"FROM tp_phases('people', {QI}, 'occupation', 3)",
    f"FROM kanonymous('people', {QI}, 5, algo := 'incognito', {COUNTRY}, options := {{'suppress': 0.5}})",
    f"FROM ldiverse('people', {QI}, 'occupation', 3, algo := 'incognito', format := 'typed', {COUNTRY})",
    f"FROM full_domain_levels('people', {QI}, k := 5)",
    f"FROM taudiverse('people', {QI}, 'occupation', 0.2, 6, taxonomy := {{'occupation': 'levels'}})",
    f"FROM taudiverse('people', {QI}, 'occupation', 0.2, 6, format := 'typed', options := {{'weights': 'w'}})",
    f"FROM randomize('people', {RANDOMIZED}, keep := ['age'], seed := 7)",
    f"FROM randomize_params('people', {RANDOMIZED})",
    f"FROM randomize('people', {RANDOMIZED}, seed := 7, options := {OWNED})",
    f"FROM randomize('people', l := {{'age': 3}}, seed := 7, options := {BINNED})",
    f"FROM randomize_params('people', t := {{'age': 0.2}}, options := {ORDERED})",
    "FROM reconstruct('listed', 'parameters', ['occupation', 'country'])",
    "FROM reconstruction_steps('listed', 'parameters', ['occupation', 'country'])",
    f"FROM estimate('listed', '{ITALIANS}', params := 'parameters')",
    "FROM estimate('people', 'SELECT count(*) FROM p WHERE age > 30 AND gender IS NOT NULL', params := 'parameters')",
    "FROM distribution_distance('people', 'listed', 'parameters', ['occupation'])",
    "FROM randomization_privacy('listed', 'parameters')",
    f"FROM privacy('people', {QI}, 'occupation')",
    f"FROM privacy('people', {QI}, 'salary', nulls := 'wildcard', entity := 'education')",
    f"FROM privacy('people', {QI}, ['occupation', 'salary'])",
    "FROM privacy('people', ['age'], 'occupation', taxonomy := {'occupation': 'census_taxonomy(''occupation'')'})",
    f"FROM equivalence_classes('people', {QI}, 'occupation') ORDER BY ALL",
    f"FROM recursive_c('people', {QI}, 'occupation', 1)",
    "FROM violations('people', ['age'], 'occupation', k := 5, l := 2, entropy_l := 2, t := 0.2, c := 3) ORDER BY age",
    "FROM violations('people', ['age'], 'occupation', distinct_l := 3, beta := 2, delta := 1) ORDER BY age",
    f"SELECT assert_private('people', {QI}, 'occupation', k := 1)",
    f"FROM induced_frequencies('anatomized', {QI}, 'occupation')",
    f"FROM induced_frequencies('people', ['gender'], 'occupation', {OCCUPATION}, weights := 'w')",
    f"FROM tau_privacy('people', ['gender'], 'occupation', 3, {OCCUPATION})",
    "FROM excessive_protection('people', ['gender'], 'occupation', 0.5, 3)",
    "FROM violations('people', ['age'], 'occupation', tau := 0.5, l := 3) ORDER BY age",
    "FROM stronger_requirements(0.5, 3, 9)",
    f"FROM risk('people', {QI}, entity := 'salary')",
    f"SELECT * EXCLUDE (created) FROM certify('release', {QI}, 'occupation', k := 3, l := 3, c := 2, src := 'people')",
    f"SELECT * EXCLUDE (created) FROM certify('typed', {QI}, 'occupation', tau := 0.5, l := 3, {OCCUPATION})",
    f"FROM risk_by_size('people', {QI})",
    "FROM eligibility('people', 'occupation')",
    "FROM eligible_c('people', 'occupation', 2)",
    "FROM buckets('people', 'occupation')",
    f"FROM k_anonymity('people', {QI})",
    f"FROM t_closeness('people', {QI}, 'salary')",
    f"FROM info_loss('people', 'release', {QI}, sa := 'occupation')",
    f"FROM info_loss('people', 'typed', {QI}, {COUNTRY})",
    f"FROM attribute_loss('people', 'release', {QI}, weights := {{'age': 2}})",
    f"FROM kl_divergence('people', 'release', {QI}, 'occupation')",
    f"FROM cube_kl('people', 'release', {QI}, 'occupation', 2)",
    f"FROM cube_kl('people', 'release', {QI}, 'occupation', 1, value := 'Waiter')",
    f"FROM count_query_error('people', 'release', {QI}, 'occupation', 2, queries := 10)",
    f"FROM count_query_error('people', 'anatomized', {QI}, 'occupation', 2, queries := 10)",
    "FROM estimate('release', 'SELECT occupation, count(*) FROM p WHERE age > 30 GROUP BY occupation') ORDER BY 1",
    "FROM estimate('typed', 'SELECT avg(age) FROM p WHERE country = ''Italy'' OR gender = ''female''')",
    "FROM estimate('release', 'SELECT count(*) FROM p')",
    f"FROM estimate('release', 'SELECT age, count(*) FROM p WHERE country = ''Italy'' GROUP BY age', {COUNTRY})",
    f"FROM best_k('people', {QI}, max_gcp := 0.4)",
    f"FROM loss_bound('people', {QI}, 'occupation', l := 3, {COUNTRY})",
    f"SELECT k, gcp, kl FROM frontier('people', {QI}, k := [2, 5], algos := ['hilbert'])",
    f"FROM privacy('people', {QI})",
    f"FROM best_l('people', {QI}, 'occupation', max_gcp := 0.4)",
    f"SELECT algo, l, gcp, kl FROM frontier('people', {QI}, 'occupation', l := [2, 3], algos := ['hilbert'])",
    "FROM _sqlanon.columns('people')",
    "FROM quasi_identifiers('people')",
    f"FROM quasi_identifiers('people', columns := {QI}, max_size := 2)",
    f"FROM compare_releases('release', 'typed', {QI}, 'occupation', {COUNTRY}, detail := 'pairs') LIMIT 20",
    f"FROM compare_releases('release', 'anatomized', {QI}, 'occupation')",
    "FROM compare_releases('people', 'people', ['gender'], 'occupation', entity := 'age', l := 3, detail := 'summary')",
    "FROM compare_releases('people', 'people', ['gender'], 'occupation', entity := 'age', l := 3)",
)


NEEDED = ("list_filter", "list_value")
"""Names that DuckDB itself looks up, without a catalog, for COLUMNS(lambda …)."""


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The answer of a statement, as text; sums may differ in their last digits from run to run."""
    answered = str(con.execute(sql).fetchall())
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.9g}", answered)


def unmistakable(sql: str) -> str:
    """A statement whose own lists and structs are not misled: those are the user's words, not ours."""
    sql = re.sub(r"\[([^]]*)\]", r"system.main.list_value(\1)", sql)
    return re.sub(r"\{'(\w+)': ([^}]*)\}", r"system.main.struct_pack(\1 := \2)", sql)


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with sqlanon.connect() as con:
        for statement in MAKE:
            con.execute(statement)
        yield con


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database file with macros for every function and operator of the engine, and for some of ours."""
    file = str(tmp_path_factory.mktemp("hostile") / "people.duckdb")
    with sqlanon.connect(file) as con:
        for statement in MAKE:
            con.execute(statement)
    arguments = ("", "a", "a, b", "a, b, c", "a, b, c, d")
    with duckdb.connect(file) as con:
        engine = con.execute(
            "SELECT function_name, bool_or(function_type LIKE 'table%') FROM duckdb_functions() "
            "WHERE database_name = 'system' GROUP BY 1"
        ).fetchall()
        ours = [(f"_sqlanon_{name}", False) for name in ("plan", "groups", "kind", "number", "frontier")]
        for name, is_table in engine + ours:
            if name in NEEDED:
                continue
            quoted = '"' + name.replace('"', '""') + '"'
            con.execute(f"CREATE MACRO {quoted}" + ", ".join(f"({each}) AS 99" for each in arguments))
            if is_table:
                bodies = ", ".join(f"({each}) AS TABLE (SELECT 99 AS n)" for each in arguments)
                con.execute(f"CREATE MACRO {quoted}{bodies}")
    with sqlanon.connect(file) as con:
        yield con


@pytest.mark.parametrize("sql", STATEMENTS)
def test_a_statement_answers_the_same(
    plain: duckdb.DuckDBPyConnection, hostile: duckdb.DuckDBPyConnection, sql: str
) -> None:
    assert rows(hostile, unmistakable(sql)) == rows(plain, sql)


def test_the_macros_do_mislead_what_is_not_qualified(hostile: duckdb.DuckDBPyConnection) -> None:
    assert hostile.execute("SELECT min(age), 1 + 1 FROM people LIMIT 1").fetchall() == [(99, 99)]


def test_every_public_function_is_tried() -> None:
    tried = " ".join(STATEMENTS)
    aliases = {"alpha_k_anonymity", "l_diversity", "entropy_l_diversity", "recursive_c_l_diversity"}
    aliases |= {"basic_beta_likeness", "enhanced_beta_likeness", "delta_disclosure", "adult_taxonomy"}
    public = {function.name for function in FUNCTIONS} - aliases - {"sqlanon_explain"}
    assert {name for name in public if f"{name}(" not in tried} == set()


@pytest.mark.parametrize("name", NEEDED)
def test_a_macro_in_the_way_of_duckdb_itself_gives_an_error_and_no_answer(name: str) -> None:
    with sqlanon.connect() as con:
        con.execute("CREATE TABLE people AS SELECT i AS age, i % 2 AS disease, 'n' || i AS name FROM range(10) AS r(i)")
        con.execute(
            f"CREATE MACRO {name}(a, b) AS ['name']" if name == "list_filter" else f"CREATE MACRO {name}(a) AS 1"
        )
        statement = "SELECT age FROM kanonymous('people', system.main.list_value('age'), 2)"
        try:
            released = con.execute(statement).fetchall()
        except duckdb.Error:
            return
        assert all(age.startswith("[") for (age,) in released)


def test_a_file_that_would_switch_off_the_promise_does_not(tmp_path: Path) -> None:
    file = str(tmp_path / "people.duckdb")
    with duckdb.connect(file) as con:
        con.execute("CREATE TABLE people AS SELECT i AS age, i % 2 AS disease FROM range(10) AS r(i)")
        con.execute("CREATE MACRO error(x) AS TRUE")
        con.execute("CREATE MACRO min(x) AS 99")
        con.execute("CREATE MACRO _sqlanon_groups(a, b, c) AS list_transform(b, lambda x, i: i::INTEGER)")
    with sqlanon.connect(file) as con:
        assert con.execute("SELECT k FROM privacy('people', ['age'], 'disease')").fetchall() == [(1,)]
        with pytest.raises(duckdb.Error, match="SA302"):
            con.execute("SELECT assert_private('people', ['age'], 'disease', k := 2)").fetchall()
        con.execute("CREATE TABLE release AS FROM ldiverse('people', ['age'], 'disease', 2)")
        assert con.execute("SELECT frequency_l >= 2 FROM privacy('release', ['age'], 'disease')").fetchall() == [
            (True,)
        ]
