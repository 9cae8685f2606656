"""People and rows: who is counted, columns that lead to people, and what rows that are left out leave behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli.running import answer, copy, refusal
from cli.running import run as cli

from sqlanon import errors
from sqlanon.certificate import Certificate

from .tables import run

VISITS = """
    SELECT i // 3 AS patient_id, 20 + (i // 3) % 50 AS age, 'z' || i // 150 AS zip,
        'd' || (i // 3) % 7 AS disease, 'p' || i || '@example.org' AS mail
    FROM range(1200) AS r(i)
"""
POLICY = """
source = "visits.parquet"
[columns]
patient_id = "identifier"
age = "quasi-identifier"
zip = "quasi-identifier"
disease = "identifier"
mail = "identifier"
[release]
k = 5
[output]
release = "release.parquet"
certificate = "certificate.json"
report = "report.html"
public_report = "public.html"
"""
REPORTS = 'report = "report.html"\npublic_report = "public.html"\n'


def make(folder: Path, *changes: tuple[str, str], reports: bool = False) -> Path:
    """A folder with a table of visits and a policy."""
    copy(folder / "visits.parquet", VISITS)
    text = POLICY if reports else POLICY.replace(REPORTS, "")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_policy_says_who_is_a_person_where_an_identifier_repeats(tmp_path: Path) -> None:
    path = make(tmp_path)
    for check in (False, True):
        with pytest.raises(
            errors.NotPrivate, match="column 'patient_id' of the source looks like an identifier"
        ) as raised:
            run(path, check=check)
        assert 'entity = "patient_id"' in str(raised.value) and 'people = "rows"' in str(raised.value)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["policy.toml", "visits.parquet"]
    assert "[SA302]" in refusal(1, "run", path)
    rows = run(make(tmp_path, ("k = 5", 'k = 5\npeople = "rows"'))).certificate
    assert (rows.noun, rows.repeating_identifiers, rows.holds) == ("rows", ("patient_id",), True)
    named = run(make(tmp_path, ("k = 5", 'k = 5\nentity = "patient_id"')), force=True).certificate
    assert (named.noun, named.repeating_identifiers) == ("people", ())


def test_an_identifier_that_repeats_is_seen_among_the_quasi_identifiers(tmp_path: Path) -> None:
    """By it, everybody with k rows is a class of their own."""
    path = make(tmp_path, ('patient_id = "identifier"', 'patient_id = "quasi-identifier"'), ("k = 5", "k = 3"))
    with pytest.raises(errors.NotPrivate, match="column 'patient_id' of the source looks like an identifier"):
        run(path)
    source, out = tmp_path / "visits.parquet", tmp_path / "out.parquet"
    said = cli("release", source, out, "--qi", "patient_id,age,zip", "-k", 3)
    assert said.exit_code == 0 and "look like identifiers, and repeat: 'patient_id'" in said.stderr


@pytest.mark.parametrize("release", ['people = "visits"', 'people = "rows"\nentity = "patient_id"', "people = true"])
def test_people_are_rows_or_told_apart_by_an_entity(release: str, tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidParameter, match="people"):
        run(make(tmp_path, ("k = 5", f"k = 5\n{release}")))


def test_risk_counts_people_everywhere(tmp_path: Path) -> None:
    path = make(tmp_path, ("k = 5", 'k = 5\nentity = "patient_id"'), reports=True)
    result = run(path)
    certificate = result.certificate
    assert certificate.people is not None and certificate.people["count"] == 400
    risk = certificate.risk["prosecutor"]
    assert risk is not None and risk < 0.1, "by rows it would pass"
    assert certificate.people["risk"]["prosecutor"] == pytest.approx(1 / 5)
    assert certificate.people["measures"][0]["k"] == 5
    measures = result.measures
    assert (measures["counted"], measures["people"], measures["achieved_k"]) == ("people", 400, 5)
    assert measures["highest_risk"] == pytest.approx(0.2)
    assert certificate.unchecked == ()
    owner = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "the smallest class has 5 people" in owner and 'data-name="after prosecutor" value="0.2"' in owner
    public = (tmp_path / "public.html").read_text(encoding="utf-8")
    assert "counted 400 people" in public and "has 5 of them, and the highest risk is 20%" in public
    path.write_text(path.read_text() + "[bounds]\nmax_risk = 0.1\n")
    with pytest.raises(errors.NotPrivate, match=r"risk <= 0\.1: it is 0\.2"):
        run(path, force=True)


def test_the_column_that_tells_people_apart_is_nowhere(tmp_path: Path) -> None:
    run(make(tmp_path, ("k = 5", 'k = 5\nentity = "patient_id"')))
    with duckdb.connect() as con:
        answered = con.execute(f"FROM '{tmp_path}/release.parquet'")
        assert [column[0] for column in answered.description] == ["group_id", "age", "zip"]
        ordered = con.execute(f"SELECT group_id, age, zip FROM '{tmp_path}/release.parquet'").fetchall()
    assert [row[0] for row in ordered] == sorted(row[0] for row in ordered)
    lines = answer(
        "verify", tmp_path / "release.parquet", "--certificate", tmp_path / "certificate.json", "--allow-unproven"
    )
    verdicts = {line["line"]: line["verdict"] for line in lines["lines"]}
    assert (verdicts["k"], verdicts["people k"], verdicts["people count"]) == ("agrees", "unproven", "unproven")


def test_a_kept_column_that_leads_to_people_is_refused_unless_the_policy_says_so(tmp_path: Path) -> None:
    people = ("k = 5", 'k = 5\nentity = "patient_id"')
    path = make(tmp_path, people, ('mail = "identifier"', 'mail = "keep"'))
    with pytest.raises(errors.NotPrivate, match="column 'mail' would be published as it is, and leads to people"):
        run(path)
    allowed = ('mail = "identifier"', 'mail = { role = "keep", identifies = true }')
    result = run(make(tmp_path, people, allowed, reports=True))
    assert result.certificate.identifying_columns == ("mail",)
    assert (result.certificate.holds, result.measures["identifying_columns"]) == (True, "mail")
    for name in ("report.html", "public.html"):
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert (
            '<section class="verdict bad">' in page
            and "People can be found by what is published as it is: mail" in page
        )
    with pytest.raises(errors.InvalidParameter, match="identifies goes with"):
        run(make(tmp_path, ('mail = "identifier"', 'mail = { role = "identifier", identifies = true }')))


def test_release_publishes_with_a_warning_and_a_line_of_its_own(tmp_path: Path) -> None:
    source = copy(tmp_path / "visits.parquet", VISITS)
    call = ["release", source, tmp_path / "out.parquet", "--qi", "age,zip", "-k", 3, "--keep", "mail"]
    result = cli(*call)
    assert result.exit_code == 0
    assert "warning: rows were counted, not people" in result.stderr
    assert "warning: published as they are, these columns lead to people: 'mail'" in result.stderr
    printed = result.stdout
    assert "repeating_identifiers  patient_id" in printed and "identifying_columns    mail" in printed
    assert "counted                rows" in printed
    answered = json.loads(cli(*call, "--force", "--json").stdout)
    assert (answered["repeating_identifiers"], answered["identifying_columns"]) == ("patient_id", "mail")
    report = [tmp_path / "out.parquet", tmp_path / "page.html", "--qi", "age,zip"]
    page = cli("report", *report, "--certificate", tmp_path / "out.parquet.certificate.json", "--public")
    assert page.exit_code == 1 and "leads to people" in page.stdout.replace("\n", " ")
    unnamed = json.loads(cli("release", source, tmp_path / "b.parquet", "--qi", "age,zip", "-k", 3, "--json").stdout)
    other = [tmp_path / "b.parquet", tmp_path / "b.html", "--qi", "age,zip", "--certificate", unnamed["certificate"]]
    assert answer("report", *other, "--public")["holds"] is None
    assert "rows are not people" in (tmp_path / "b.html").read_text(encoding="utf-8")


def publish_without_one(
    folder: Path, age: int | None, options: str
) -> tuple[dict[str, Any], str, bytes, dict[str, Any]]:
    """Certificate, public report, release and summary of a table with one row that is left out."""
    folder.mkdir()
    one = f"SELECT 'z9', CAST({'NULL' if age is None else age} AS INTEGER), 'd0'"
    others = "SELECT 'z' || i % 3 AS zip, 20 + i % 10 AS age, 'd' || i % 5 AS disease FROM range(120) AS r(i)"
    copy(folder / "source.parquet", f"{others} UNION ALL {one}")
    policy = {
        "source": str(folder / "source.parquet"),
        "columns": {"zip": "quasi-identifier", "age": "quasi-identifier", "disease": "sensitive"},
        "release": {"l": 2, **json.loads(options)},
        "output": {
            "release": str(folder / "release.csv"),
            "certificate": str(folder / "certificate.json"),
            "public_report": str(folder / "public.html"),
        },
    }
    measures = dict(run(policy).measures)
    certificate = Certificate.from_json((folder / "certificate.json").read_bytes())
    assert certificate.suppressed_rows == 1
    plain = certificate.as_plain()
    created = str(plain.pop("created"))
    page = (folder / "public.html").read_text(encoding="utf-8")
    made = page[page.index("report made") :]
    moment = made[made.index("<td>") + 4 :].split(" by ")[0]
    return plain, page.replace(created, "").replace(moment, ""), (folder / "release.csv").read_bytes(), measures


def test_a_row_that_is_left_out_leaves_no_trace(tmp_path: Path) -> None:
    """Lowest + widths / (gcp * n - suppressed) was the value of that row, exactly."""
    suppress = '{"algo": "incognito", "options": {"suppress": 0.05}}'
    near = publish_without_one(tmp_path / "near", 500, suppress)
    far = publish_without_one(tmp_path / "far", 90_000, suppress)
    assert near[:3] == far[:3]
    assert near[3]["gcp"] != far[3]["gcp"], "the owner's figure tells them apart"
    assert "gcp" not in json.dumps(near[0]) and "Detail lost" not in near[1]


def test_nor_does_one_that_nulls_exclude_drops(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    certificate, *_ = publish_without_one(folder, None, '{"nulls": "exclude"}')
    assert certificate["source_rows"] == 121 and "loss" not in certificate


def test_figures_of_the_owner_have_three_digits(tmp_path: Path) -> None:
    path = make(tmp_path, ("k = 5", 'k = 5\nentity = "patient_id"'))
    gcp = run(path).measures["gcp"]
    assert isinstance(gcp, float) and gcp == float(f"{gcp:.3g}") > 0
    path.write_text(path.read_text() + f"[bounds]\nmax_gcp = {gcp / 2}\n")
    with pytest.raises(errors.NotPrivate, match="gcp <="):
        run(path, force=True)
