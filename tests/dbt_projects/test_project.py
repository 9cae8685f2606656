"""The example with the real dbt: a first run that passes, and a later one, in which tests fail as they should."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from connections import open_connection

import sqlanon
from sqlanon.certificate import Certificate, all_hold, check, file_reference
from sqlanon.dbt_package import path as package_path

pytestmark = pytest.mark.slow

pytest.importorskip("dbt.adapters.duckdb", reason="dbt-duckdb is not installed: pip install sqlanon[dbt]")

EXAMPLE = Path(__file__).parents[2] / "examples" / "release_project"
INVOKE = """
import json, sys
from dbt.cli.main import dbtRunner

passed = [dbtRunner().invoke(command).success for command in json.loads(sys.argv[1])]
print(json.dumps(passed))
"""
"""One process for several commands of dbt: it takes seconds to start."""

TOO_FINE = """
{{ config(materialized='table') }}
SELECT row_number() OVER () AS "it's a ""key", age AS "Age", sex, zip, disease FROM {{ ref('stg_patients') }}
"""
READ_TOO_FINE = "SELECT * FROM {{ ref('too_fine') }}"
BROKEN = """
models:
  - name: too_fine
    data_tests:
      - sqlanon.k_anonymous:
          name: counted
          arguments: {quasi_identifiers: [age, sex], k: 3}
          config: {store_failures: true}
      - sqlanon.k_anonymous:
          name: sampled
          arguments: {quasi_identifiers: [age, sex], k: 3, sample_limit: 2}
          config: {store_failures: true}
      - sqlanon.l_diverse:
          name: of_women
          arguments: {quasi_identifiers: [zip, SEX], sensitive_column: disease, l: 3}
          config: {where: "sex = 'f'"}
      - sqlanon.t_close:
          name: far
          arguments: {quasi_identifiers: [zip, sex], sensitive_column: disease, t: 0.3}
      - sqlanon.no_identifiers:
          name: identifying
          arguments: {identifiers: [DISEASE, email]}
          config: {store_failures: true}
      - sqlanon.no_identifiers:
          name: allowed
          arguments: {allowed: ["It's a \\"key"]}
      - sqlanon.k_anonymous:
          name: misspelt
          arguments: {quasi_identifiers: [agee], k: 3}
"""


STAYS = """
{{ config(materialized='view', event_time='admitted_on') }}
SELECT CAST(admitted_on AS TIMESTAMP) AS admitted_on, sex, zip, 'it''s' AS note FROM {{ ref('raw_patients') }}
"""
SAMPLED = """
{{ config(materialized='table') }}
FROM kanonymous({{ sqlanon.table(ref('stays')) }}, ['sex', 'zip'], 5)
"""
BATCHES = """
{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='admitted_on', batch_size='month',
          begin='2024-01-01') }}
{% set start = model.batch.event_time_start.strftime("%Y-%m-%d") if model.batch else "2024-01-01" %}
SELECT TIMESTAMP '{{ start }}' AS admitted_on, *
FROM kanonymous({{ sqlanon.table(ref('stays')) }}, ['sex', 'zip'], 5)
"""
UNCHECKED = """
{{ config(materialized='release_file', location='raw.parquet',
          meta={'release': {'quasi_identifiers': ['age', 'sex', 'zip'], 'k': 3}}) }}
SELECT age, sex, zip FROM {{ ref('stg_patients') }}
"""
WITHOUT_BOUND = UNCHECKED.replace(", 'k': 3", "").replace("raw.parquet", "unbounded.parquet")


@dataclass(frozen=True)
class Run:
    """The results of a process of dbt: which commands passed, what it printed, and what the last command ran."""

    passed: list[bool]
    printed: str
    results: dict[str, tuple[str, int | None]]
    """Of every model and test, its status and the number of its failures."""


def run_dbt(project: Path, *commands: list[str]) -> Run:
    done = subprocess.run(
        [sys.executable, "-c", INVOKE, json.dumps(commands)],
        cwd=project,
        capture_output=True,
        text=True,
        env={**os.environ, "SQLANON_DBT": str(package_path()), "DO_NOT_TRACK": "1", "DBT_PARTIAL_PARSE": "false"},
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, ""), "nothing leaks, nothing warns"
    results = json.loads((project / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    return Run(
        json.loads(done.stdout.splitlines()[-1]),
        done.stdout,
        {result["unique_id"].split(".")[2]: (result["status"], result["failures"]) for result in results},
    )


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    """Compiled and kept: on a slow machine, every process would warn that it takes a while."""
    with open_connection() as con:
        con.execute("CREATE TABLE few AS SELECT i AS age, i % 2 AS disease FROM range(8) AS r(i)")
        con.execute("FROM kanonymous('few', ['age'], 2)")
        con.execute("FROM ldiverse('few', ['age'], 'disease', 2)")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, in a folder to itself."""
    return shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("dbt") / "project")


@pytest.fixture(scope="module")
def first(project: Path) -> Run:
    """The commands of the example's README."""
    return run_dbt(project, ["deps"], ["build"])


@pytest.fixture(scope="module")
def later(project: Path, first: Run) -> Run:
    """In a new process: another month, twice; and a model that breaks its bounds."""
    assert first.passed == [True, True], first.printed
    for name, text in {"too_fine.sql": TOO_FINE, "read_too_fine.sql": READ_TOO_FINE, "too_fine.yml": BROKEN}.items():
        (project / "models" / name).write_text(text, encoding="utf-8")
    month = ["--vars", "month: 2024-02", "--select", "patients_by_disease"]
    return run_dbt(project, ["run", *month], ["build", *month, "too_fine+"])


@pytest.fixture(scope="module")
def database(project: Path, later: Run) -> Iterator[duckdb.DuckDBPyConnection]:
    """The database that dbt left, in a DuckDB without sqlanon."""
    with duckdb.connect(str(project / "hospital.duckdb")) as con:
        con.execute("SET threads = 1")
        yield con


def test_the_example_builds_with_several_threads_and_all_its_tests_pass(first: Run, project: Path) -> None:
    assert first.passed == [True, True], first.printed
    assert "Concurrency: 4 threads" in first.printed
    statuses = [status for status, _ in first.results.values()]
    assert set(statuses) == {"success", "pass", "no-op"}
    assert statuses.count("pass") == 6
    assert sorted(file.name for file in project.glob("*.parquet")) == [
        "patients_by_disease.parquet",
        "patients_by_place.parquet",
    ]


def test_releases_are_plain_tables_that_keep_their_promise(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute("SELECT month, age, sex, zip, disease FROM patients_by_disease").fetchall()
    classes: dict[tuple[str, ...], list[str]] = {}
    for *qi, disease in rows:
        classes.setdefault(tuple(qi), []).append(disease)
    assert all(3 * max(map(diseases.count, diseases)) <= len(diseases) for diseases in classes.values())
    smallest = "SELECT min(n) FROM (SELECT count(*) AS n FROM patients_by_place GROUP BY age, sex, zip)"
    assert database.execute(smallest).fetchall()[0][0] >= 10


def test_a_month_is_added_once(later: Run, database: duckdb.DuckDBPyConnection) -> None:
    assert later.passed[0], later.printed
    assert later.results["patients_by_disease"][0] == "success"
    months = database.execute(
        "SELECT month, count(*) FROM patients_by_disease GROUP BY month ORDER BY month"
    ).fetchall()
    assert months == [("2024-01", 120), ("2024-02", 120)]


def test_tests_fail_with_the_number_of_violating_classes(later: Run, database: duckdb.DuckDBPyConnection) -> None:
    assert not later.passed[1]
    with sqlanon.load(database.cursor()) as con:
        broken = {
            name: con.execute(f"SELECT count(*) FROM violations({arguments})").fetchall()[0][0]
            for name, arguments in {
                "counted": "'too_fine', ['age', 'sex'], k := 3",
                "of_women": "'(FROM too_fine WHERE sex = ''f'')', ['zip'], 'disease', l := 3",
                "far": "'too_fine', ['zip', 'sex'], 'disease', t := 0.3",
            }.items()
        }
    assert all(count > 0 for count in broken.values())
    broken["sampled"] = broken["counted"]
    broken["identifying"] = 2
    assert {name: later.results[name] for name in broken} == {name: ("fail", count) for name, count in broken.items()}
    assert later.results["allowed"] == ("pass", 0)


def test_what_depends_on_a_release_that_fails_is_not_built(later: Run) -> None:
    assert later.results["too_fine"][0] == "success"
    assert later.results["read_too_fine"][0] == "skipped"


def test_a_column_that_is_not_there_is_an_error(later: Run) -> None:
    assert later.results["misspelt"][0] == "error"
    assert "[SA101] the model has no column agee." in later.printed


def test_failures_are_stored_as_counts_unless_a_sample_is_wanted(database: duckdb.DuckDBPyConnection) -> None:
    counts = database.execute("FROM main_dbt_test__audit.counted ORDER BY class_size")
    assert [column[0] for column in counts.description] == ["broken", "class_size", "classes", "violating_classes"]
    rows = counts.fetchall()
    assert [row[:2] for row in rows] == [("k", 1), ("k", 2)]
    assert {row[3] for row in rows} == {sum(row[2] for row in rows)}

    sample = database.execute("FROM main_dbt_test__audit.sampled")
    assert [column[0] for column in sample.description][:2] == ["Age", "sex"]
    assert len(sample.fetchall()) == 2

    columns = database.execute("FROM main_dbt_test__audit.identifying").fetchall()
    assert sorted(columns) == [("disease", "is an identifier"), ("it's a \"key", "no value occurs twice")]


@pytest.fixture(scope="module")
def conditions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Run]]:
    """The example, and models of all kinds: without rows, then of January, then by month and with broken bounds."""
    project = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("dbt") / "project")
    models = {"stays": STAYS, "sampled": SAMPLED, "unchecked": UNCHECKED, "without_bound": WITHOUT_BOUND}
    for name, text in models.items():
        (project / "models" / f"{name}.sql").write_text(text, encoding="utf-8")
    empty = run_dbt(project, ["deps"], ["build", "--empty"])
    with duckdb.connect(str(project / "hospital.duckdb")) as con:
        con.execute("CREATE TABLE empty_releases AS FROM patients_by_place")
    for name in ("raw.parquet", "raw.parquet.certificate.json"):
        (project / name).write_text("of an earlier run", encoding="utf-8")
    (project / "models" / "batches.sql").write_text(BATCHES, encoding="utf-8")
    january = {"start": "2024-01-01", "end": "2024-02-01"}
    run = run_dbt(
        project,
        ["build", "--select", "raw_patients", "stays"],
        ["run", "--select", "sampled", "--sample", json.dumps(january)],
        ["run", "--select", "batches", "--event-time-start", "2024-01-01", "--event-time-end", "2024-03-01"],
        ["run", "--exclude", "batches", "sampled"],
    )
    return project, [empty, run]


def test_releases_without_rows_have_their_columns_and_no_file_is_written(conditions: tuple[Path, list[Run]]) -> None:
    project, (empty, _) = conditions
    assert empty.passed == [True, True], empty.printed
    with duckdb.connect(str(project / "hospital.duckdb")) as con:
        found = con.execute("FROM empty_releases")
        assert [column[0] for column in found.description] == ["group_id", "age", "sex", "zip"]
        assert found.fetchall() == []


def test_a_sample_and_microbatches_put_their_condition_inside(conditions: tuple[Path, list[Run]]) -> None:
    project, (_, run) = conditions
    assert run.passed[:3] == [True, True, True], run.printed
    with duckdb.connect(str(project / "hospital.duckdb")) as con:
        stays = dict(con.execute("SELECT month(admitted_on), count(*) FROM stays GROUP BY ALL").fetchall())
        assert con.execute("SELECT count(*) FROM sampled").fetchall() == [(stays[1],)]
        batches = dict(con.execute("SELECT month(admitted_on), count(*) FROM batches GROUP BY ALL").fetchall())
    assert batches == {month: stays[month] for month in (1, 2)}


def test_a_file_gets_its_name_when_its_bounds_hold_and_has_its_certificate_beside_it(
    conditions: tuple[Path, list[Run]],
) -> None:
    project, (_, run) = conditions
    assert run.results["disease_file"][0] == "success"
    file = project / "patients_by_disease.parquet"
    certificate = Certificate.from_json((project / f"{file.name}.certificate.json").read_bytes())
    assert (certificate.holds, certificate.rows, certificate.bounds) == (True, 120, {"l": 3})
    with sqlanon.connect() as con:
        assert con.execute("SELECT count(*) FROM read_parquet(?)", [str(file)]).fetchall() == [(120,)]
        assert all_hold(check(con, file_reference(file), certificate))


def test_a_file_that_breaks_a_bound_is_not_published_and_an_earlier_one_stays(
    conditions: tuple[Path, list[Run]],
) -> None:
    project, (_, run) = conditions
    assert (run.results["unchecked"][0], run.results["without_bound"][0]) == ("error", "error")
    assert "[SA302] the release breaks k. No file was published." in run.printed
    assert "[SA102] meta.release has no bound to check." in run.printed
    for name in ("raw.parquet", "raw.parquet.certificate.json"):
        assert (project / name).read_text(encoding="utf-8") == "of an earlier run"
    assert sorted(path.name for path in project.glob("*unbounded*")) == []
    assert [path.name for path in project.glob(".*tmp*")] == []
