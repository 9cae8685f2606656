"""A policy that is wrong is refused with a code, and says what is wrong and what may have been meant."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from cli.running import refusal

from sqlanon import errors
from sqlanon.policy.reading import read_policy

from .tables import POLICY, edit_policy

WRONG = {
    "no TOML": ("source = ", "is not TOML"),
    "an unknown table": (f"{POLICY}[bonds]\nk = 3", "has the key 'bonds', which is not known. Did you mean 'bounds'?"),
    "an unknown key of release": (
        edit_policy(("l = 3", "l = 3\nalog = 1")),
        "key 'alog', which is not known. Did you mean 'algo'?",
    ),
    "an unknown bound": (f"{POLICY}[bounds]\nmaxrisk = 3", "Did you mean 'max_risk'?"),
    "an unknown output": (f"{POLICY}reprot = 'x.html'", "Did you mean 'report'?"),
    "an unknown key of a column": (
        edit_policy(('"sensitive"', '{ role = "sensitive", tax = "x" }')),
        "Known are: role, taxonomy",
    ),
    "an unknown role": (edit_policy(('"sensitive"', '"senstive"')), "'senstive' is no role. Did you mean 'sensitive'?"),
    "a number for a role": (edit_policy(('"sensitive"', "3")), "is no role"),
    "a column without a role": (edit_policy(('"sensitive"', "{}")), "is no role"),
    "no source": (edit_policy(('source = "people.parquet"', "")), "has no 'source'"),
    "no columns": ("source = 'a.csv'", "has no 'columns'"),
    "no output": (
        edit_policy(
            ("[output]", "[bounds]"), ('release = "release.parquet"', ""), ('certificate = "certificate.json"', "")
        ),
        "has no 'output'",
    ),
    "no release": (edit_policy(('release = "release.parquet"', "")), "[output] has no 'release'"),
    "a source that is no table": (edit_policy(("people.parquet", "people.xlsx")), "neither a file"),
    "a number for a source": (edit_policy(('"people.parquet"', "3")), "source must be text"),
    "a text for a table": (
        edit_policy(('[release]\nl = 3\npeople = "rows"\n', ""), ("source =", "release = 'l'\nsource =")),
        "release must be a table",
    ),
    "no parameter": (edit_policy(("l = 3", "")), "k, l or another bound is missing"),
    "parameters that do not go together": (edit_policy(("l = 3", "tau = 0.5\nk = 3")), "do not go together"),
    "a text for l": (edit_policy(("l = 3", 'l = "3"')), "l must be a whole number"),
    "an l that is too small": (edit_policy(("l = 3", "l = 1")), "l = 1 is out of range"),
    "an unknown algorithm": (edit_policy(("l = 3", 'l = 3\nalgo = "x"')), "algo: 'x' is not known"),
    "an unknown option": (edit_policy(("l = 3", "l = 3\noptions = { x = 1 }")), "options: 'x' is not an option"),
    "an argument of another function": (edit_policy(("l = 3", 'l = 3\ntau = 0.5\nnulls = "value"')), "nulls"),
    "k with a sensitive column": (edit_policy(("l = 3", "k = 3")), "protects no sensitive column"),
    "l without one": (edit_policy(('"sensitive"', '"keep"')), "no column is sensitive"),
    "no quasi-identifier": (edit_policy(('"quasi-identifier"', '"keep"')), "has no quasi-identifier"),
    "a taxonomy of a kept column": (
        edit_policy(('"sensitive"', '{ role = "keep", taxonomy = "x.csv" }')),
        "no use for",
    ),
    "a taxonomy of a sensitive column": (
        edit_policy(('"sensitive"', '{ role = "sensitive", taxonomy = "x.csv" }')),
        "not in qi",
    ),
    "a column twice": (edit_policy(("age =", "AGE = 'keep'\nage =")), "names column 'AGE' twice"),
    "an entity that is published": (edit_policy(('people = "rows"', "entity = 'age'")), "has no identifier 'age'"),
    "a seed": (edit_policy(("l = 3", "l = 3\nseed = 7")), "a seed is a secret"),
    "a seed among options": (edit_policy(("l = 3", "l = 3\noptions = { seed = 7 }")), "a seed is a secret"),
    "a bound that is stronger than the promise": (
        f"{POLICY}[bounds]\nl = 4",
        "[bounds] has l = 4; [release] promises l = 3",
    ),
    "a bound out of range": (f"{POLICY}[bounds]\nt = 2", "t = 2"),
    "a risk out of range": (f"{POLICY}[bounds]\nmax_risk = 2", "bounds.max_risk = 2"),
    "a text for a bound": (f"{POLICY}[bounds]\nk = 'x'", "bounds.k must be a number"),
    "the l of another bound": (f"{POLICY}[bounds]\nl = 2\nc = 2", "is not what arguments say"),
    "group_id as a column": (edit_policy(("age =", "group_id = 'keep'\nage =")), "group_id"),
    "one path for two things": (edit_policy(("certificate.json", "release.parquet")), "wanted for two things"),
    "the policy itself as an output": (edit_policy(("certificate.json", "policy.toml")), "wanted for two things"),
    "the source as an output": (edit_policy(("release.parquet", "people.parquet")), "is the source itself"),
    "an unknown key of the record": (f"{POLICY}[record]\npurpos = 'x'", "Did you mean 'purpose'?"),
    "a hash that somebody writes": (f"{POLICY}[record]\npolicy_hash = 'x'", "key 'policy_hash', which is not known"),
    "a list for a purpose": (f"{POLICY}[record]\npurpose = ['x']", "record.purpose must be text"),
    "a review on no day": (f"{POLICY}[record]\nreview_on = 'May 2027'", "record.review_on is not a day"),
    "a review at a time": (f"{POLICY}[record]\nreview_on = 2027-05-01T10:00:00", "record.review_on must be text"),
    "a text for the record": (f"record = 'x'\n{POLICY}", "record must be a table"),
    "types in CSV": (
        edit_policy(("release.parquet", "release.csv"), ("l = 3", 'l = 3\nformat = "typed"')),
        "a CSV file has no types",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused_with_a_code(what: str, tmp_path: Path) -> None:
    text, message = WRONG[what]
    path = tmp_path / "policy.toml"
    path.write_text(text, encoding="utf-8")
    complaint = refusal(2, "run", path, "--check")
    assert complaint.startswith("error: [SA10")
    assert message in complaint
    assert [entry.name for entry in tmp_path.iterdir()] == ["policy.toml"]


def test_a_policy_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert "[SA102] there is no policy" in refusal(2, "run", tmp_path / "no.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    assert "is not TOML" in refusal(2, "run", tmp_path / "odd.toml")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 100_000)
    assert "is not TOML" in refusal(2, "run", tmp_path / "deep.toml")
    (tmp_path / "folder.toml").mkdir()
    assert "[SA102] the policy" in refusal(2, "run", tmp_path / "folder.toml")


@pytest.mark.parametrize(
    "change",
    [
        {"source": None},
        {"source": b"people.csv"},
        {"columns": {3: "keep"}},
        {"columns": {"": "keep"}},
        {"columns": {"age": ["quasi-identifier"]}},
        {"bounds": {"k": None}},
        {"bounds": {"k": float("nan")}},
        {"bounds": {"max_risk": None}},
        {"release": {"l": True}},
        {"release": {"l": None}},
        {"release": {"l": 3, "options": [1]}},
        {"release": {"l": 3, "entity": 3}},
        {"output": {"release": 3}},
        {"output": {"release": "a\0.csv"}},
        {"output": {"release": "a.csv", "report": ""}},
        {3: 4},
    ],
    ids=str,
)
def test_a_dict_is_read_as_strictly(change: dict[str, object]) -> None:
    with pytest.raises(errors.SqlanonError):
        read_policy({**tomllib.loads(POLICY), **change})
