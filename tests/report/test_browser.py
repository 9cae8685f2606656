"""How a browser shows a report: no errors, no scrolling sideways, in light and dark, on a telephone and on a screen."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from connections import TestConnection

from report.hostile import hostile_report
from report.pages import QI, SA, make
from sqlanon.report import report

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDTHS = (400, 1400)
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr", "--v=0"),
)
LOOK = """
addEventListener('load', () => {
    const rgb = (view, element, name) => view.getComputedStyle(element)[name].match(/[0-9.]+/g).map(Number);
    const answer = [...document.querySelectorAll('iframe')].map((frame) => {
        const page = frame.contentDocument, view = frame.contentWindow;
        const drawings = [...page.querySelectorAll('.drawing')];
        const wide = [...page.querySelectorAll('svg, table, p, h1, h2, h3, li, td, th, figure')]
            .filter((each) => each.getBoundingClientRect().right > page.documentElement.clientWidth + 0.5);
        const cut = drawings.flatMap((each) => [...each.querySelectorAll('text')].filter((text) => {
            const box = text.getBoundingClientRect(), room = each.closest('figure').getBoundingClientRect();
            return box.width && (box.left < room.left || box.right > room.right);
        }));
        const texts = drawings.flatMap((each) => [...each.querySelectorAll('text')]).filter((each) => each.textContent);
        return {
            title: page.title, scroll: page.documentElement.scrollWidth, drawings: drawings.length, wide: wide.length,
            flat: drawings.filter((each) => each.querySelector('svg').getBoundingClientRect().height < 20).length,
            cut: cut.map((each) => each.textContent),
            smallest: Math.min(...texts.map((each) => each.getBoundingClientRect().height)),
            paper: rgb(view, page.body, 'backgroundColor'), ink: rgb(view, page.body, 'color'),
            card: rgb(view, page.querySelector('figure'), 'backgroundColor'),
            drawn: texts.map((each) => rgb(view, each, 'fill')),
            quiet: rgb(view, page.querySelector('figcaption'), 'color'),
        };
    });
    document.body.innerHTML = '';
    const out = document.createElement('pre');
    out.textContent = JSON.stringify(answer);
    document.body.append(out);
});
"""

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")


@pytest.fixture(scope="module")
def pages(con: TestConnection) -> dict[str, str]:
    certificate = make(con)
    call: dict[str, Any] = {"certificate": certificate, "taxonomy": {"zip": "zips"}, "title": "A title"}
    return {
        "owner": report(con.connection, "release", QI, SA, src="patients", **call).html,
        "public": report(con.connection, "release", QI, SA, public=True, **call).html,
        "hostile": hostile_report(con, public=True).html,
    }


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_page_is_readable_without_errors(pages: dict[str, str], scheme: str, tmp_path: Path) -> None:
    looks, console = look(list(pages.values()), scheme, tmp_path)
    assert console == []
    assert len(looks) == len(pages) * len(WIDTHS)
    for number, seen in enumerate(looks):
        assert seen["scroll"] == WIDTHS[number % len(WIDTHS)]
        assert seen["drawings"] >= 4
        assert (seen["wide"], seen["flat"], seen["cut"]) == (0, 0, [])
        assert seen["smallest"] >= 10
        assert (sum(seen["paper"]) < 200) == (scheme == "dark")
        for color in (seen["ink"], seen["quiet"], *seen["drawn"]):
            assert contrast(color, seen["card"]) >= 4.5
    assert looks[0]["title"] == "A title"
    assert "owned" in looks[-1]["title"]  # as text, between its tags
    assert looks[-1]["title"] != "owned"


def look(pages: list[str], scheme: str, folder: Path) -> tuple[list[Any], list[str]]:
    """Open pages in frames of several widths; return what can be seen, and what the console says."""
    frames = "".join(
        f'<iframe srcdoc="{escape(page)}" style="border: 0; width: {width}px; height: 30000px"></iframe>'
        for page in pages
        for width in WIDTHS
    )
    outer = folder / "outer.html"
    outer.write_text(f"<!doctype html><meta charset=utf-8><body>{frames}<script>{LOOK}</script>", encoding="utf-8")
    setting = f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}"
    profile = f"--user-data-dir={folder / 'profile'}"
    ended = subprocess.run(
        [str(BROWSER), *OPTIONS, setting, profile, "--dump-dom", outer.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    match = re.search(r"<pre>(.*)</pre>", ended.stdout, re.DOTALL)
    assert match, ended.stderr[-2000:]
    return json.loads(unescape(match[1])), [line for line in ended.stderr.splitlines() if ":CONSOLE" in line]


def contrast(one: list[float], other: list[float]) -> float:
    """The contrast of two colours, as WCAG defines it: 4.5 is enough for small text."""

    def luminance(color: list[float]) -> float:
        parts = [part / 255 for part in color[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)
