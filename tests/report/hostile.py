"""A table whose names and values would like to be more than text."""

from __future__ import annotations

from connections import TestConnection, quote

from sqlanon.report import Report, report

SCRIPT = "<script>document.title='owned'</script>"
COLUMNS = [f'{SCRIPT}"x', "{{ 7 * 7 }}</style><b onclick='x'>", "]]></svg><img src=x onerror=alert(1)>"]
VALUES = [
    f"{SCRIPT}",
    "' onload='alert(1)",
    '" onmouseover="alert(1)',
    "</text></svg><script>alert(2)</script>",
    "a\u202eb",
    "",
]
TITLE = f"</title>{SCRIPT} & sons"


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def hostile_report(con: TestConnection, public: bool) -> Report:
    """A report of a release with such names, values and title."""
    first, second, sensitive = COLUMNS
    values = f"[{', '.join(map(literal, VALUES))}]"
    con.execute(
        f"""
        CREATE OR REPLACE TABLE source AS SELECT
            i % 13 AS {quote(first)}, ({values})[1 + i % 3] AS {quote(second)},
            CASE WHEN i % 7 < 6 THEN ({values})[1 + i % 6] END AS {quote(sensitive)}
        FROM range(84) AS r(i);
        CREATE OR REPLACE TABLE hostile AS
            FROM ldiverse('source', [{literal(first)}, {literal(second)}], {literal(sensitive)}, 2)
        """
    )
    src = None if public else "source"
    return report(con.connection, "hostile", [first, second], sensitive, src=src, l=2, public=public, title=TITLE)
