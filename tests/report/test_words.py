"""The words of a report: rows unless people were counted, risk that rises, labels, and where protection ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from connections import TestConnection

from report.pages import QI, SA, make, read
from sqlanon.certificate import Certificate, certify
from sqlanon.report import report
from sqlanon.report.limits import LIMITS

THREAT_MODEL = Path(__file__).parents[2] / "docs" / "threat-model.md"


@pytest.fixture(scope="module")
def certificate(con: TestConnection) -> Certificate:
    return make(con)


@pytest.fixture
def no_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")


def words_of(html: str) -> str:
    """The text of a page, in one line, without its style sheet."""
    text = read(html).text
    return " ".join(re.sub(r":root \{.*\} \}", "", text, flags=re.DOTALL).split())


def test_rows_are_called_rows_where_nobody_said_how_to_tell_people_apart(
    con: TestConnection, certificate: Certificate
) -> None:
    text = words_of(report(con.connection, "release", QI, SA, certificate=certificate, public=True).html)
    shown, limits = text.split("What this report cannot tell")
    assert "No row stands alone in the release: the smallest class has 3 rows." in shown
    assert "Rows were counted, not people." in shown
    # the header says by what people may be recognised, and the caution that they were not counted
    without = shown.replace("People might be recognised by", "").replace(
        "Rows were counted, not people. Whoever has several rows may stand alone in a class of their own; name the "
        "column that tells people apart (entity), and people are counted.",
        "",
    )
    assert not re.search(r"\b([Pp]eople|[Pp]erson|[Nn]obody looks|Everybody)\b", without)
    assert "People with several rows" in limits


def test_sentences_of_a_public_page_have_a_space_between_them(con: TestConnection, certificate: Certificate) -> None:
    text = words_of(report(con.connection, "release", QI, SA, certificate=certificate, public=True).html)
    assert "whose it is. How much was lost against the source was not measured" in text
    assert not re.search(r"[a-z]{2}[.!?][A-Z][a-z]", text)


def test_people_are_called_people_where_they_were_counted(con: TestConnection, certificate: Certificate) -> None:
    sworn = certify(con.connection, "release", QI, SA, l=1, entity="ward")
    text = words_of(report(con.connection, "release", QI, SA, certificate=sworn, public=True).html)
    assert "Rows were counted" not in text
    assert "How many people look alike?" in text
    assert re.search(r"smallest class has \d+ people|people stand alone", text)
    assert "to find the easiest person" in text


@pytest.mark.usefixtures("no_frontier")
def test_risk_that_rises_is_said_with_the_reason(con: TestConnection) -> None:
    """In the source 30 rows look alike, in the release three."""
    con.execute(
        """
        CREATE OR REPLACE TABLE uneven AS
        SELECT CASE WHEN i < 20 THEN 30 ELSE 40 + i * 3 END AS age, 'd' || i % 4 AS disease FROM range(29) AS r(i);
        CREATE OR REPLACE TABLE same AS SELECT 30 + i % 2 AS age, 'd' || i % 3 AS disease FROM range(60) AS r(i);
        CREATE OR REPLACE TABLE threes AS
        SELECT i % 20 AS group_id, '[' || 30 || ', ' || 31 + i % 20 || ']' AS age, 'd' || i // 20 AS disease
        FROM range(60) AS r(i);
        """
    )
    shares = [con.rows(f"SELECT above_threshold FROM risk('{table}', ['age'])") for table in ("same", "threes")]
    assert shares == [[(0,)], [(1,)]]
    text = words_of(report(con.connection, "threes", ["age"], "disease", src="same", l=3).html)
    assert "But the highest risk rises from 3.3% to 33.3%" in text
    assert "and the share of rows with a risk above 20% rises from 0% to 100%: groups are made as small as" in text
    con.execute("CREATE OR REPLACE TABLE starred AS SELECT '*' AS age, disease, 1 AS group_id FROM uneven")
    text = words_of(report(con.connection, "starred", ["age"], "disease", src="uneven", l=3).html)
    assert " rises from " not in text


@pytest.mark.usefixtures("no_frontier")
def test_labels_of_two_values_are_not_read_as_half_and_half_without_a_word(con: TestConnection) -> None:
    """200 sick and 800 healthy people: every * is a healthy one."""
    con.execute(
        """
        CREATE OR REPLACE TABLE tested AS
        SELECT i * 7 % 41 AS age, CASE WHEN i % 5 = 0 THEN 'sick' ELSE 'healthy' END AS result FROM range(1000) AS r(i);
        CREATE OR REPLACE TABLE labelled AS FROM taudiverse('tested', ['age'], 'result', 0.5, 2);
        """
    )
    counts = dict(con.rows("SELECT result, count(*) FROM labelled GROUP BY 1"))
    assert counts == {"sick": 200, "healthy": 200, "*": 600}
    sworn = certify(
        con.connection, "labelled", ["age"], "result", function="taudiverse", arguments={"tau": 0.5, "l": 2}
    )
    text = words_of(report(con.connection, "labelled", ["age"], "result", certificate=sworn, public=True).html)
    assumed = "if the values below a label, or in a list, are equally likely"
    assert f"does a value of result take more than 50% of the rows, {assumed} (tau = 0.5)" in text
    assert f"I{assumed[1:]}, the most frequent value is" in text
    assert "Labels were counted in equal parts: whoever knows which value is frequent knows what most" in text
    assert f"{assumed}. Whoever knows which value is frequent may know better." in text
    assert "which may be far from the truth" in text
    owner = words_of(report(con.connection, "labelled", ["age"], "result", certificate=sworn, src="tested").html)
    assert "One value of result takes 80% of the source, more than tau: whoever knows which value is" in owner
    assert f"I{assumed[1:]}, no share differs from the source by more than 30.0 percentage points." in owner


def test_figures_agree_and_bounds_hold(con: TestConnection, certificate: Certificate) -> None:
    html = report(con.connection, "release", QI, SA, certificate=certificate, public=True).html
    assert re.search(r'<th scope="row">t</th>\s*<td>[\d.]+</td>\s*<td class="holds">✓ agrees</td>', html)
    assert re.search(r'<th scope="row">bound l</th>\s*<td>3</td>\s*<td class="holds">✓ holds', html)
    other = report(con.connection, "(FROM release LIMIT 200)", QI, SA, certificate=certificate, public=True).html
    assert re.search(r'<th scope="row">rows</th>\s*<td>240</td>\s*<td class="broken">✗ differs: 200</td>', other)


def plain(markdown: str) -> str:
    """A paragraph without the marks of Markdown, in one line."""
    linked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(markdown.split()))
    return linked.replace("*", "").replace("`", "").replace('"L', "“L").replace('r" is', "r” is")


def test_what_a_report_cannot_tell_is_the_list_of_the_threat_model_whole(
    con: TestConnection, certificate: Certificate
) -> None:
    section = THREAT_MODEL.read_text(encoding="utf-8").split("## What is not protected")[1].split("\n## ")[0]
    paragraphs = re.split(r"\n\n(?=\*\*)", section.strip())
    assert [heading for heading, _ in LIMITS] == [part.split("**")[1] for part in paragraphs]
    for (heading, text), paragraph in zip(LIMITS, paragraphs, strict=True):
        assert plain(paragraph).startswith(f"{heading} {text}"), heading
    page = words_of(report(con.connection, "release", QI, SA, certificate=certificate, public=True).html)
    for heading, text in LIMITS:
        assert f"{heading} {text}" in page
