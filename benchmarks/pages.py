"""Pages of docs/ that benchmarks write: their words from a file with marks for tables, and charts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def write_page(page: Path, words: Path, parts: Mapping[str, str]) -> Path:
    """Put the parts at their marks, `<!-- name -->`, in `words`, and write the page; return it."""
    text = words.read_text(encoding="utf-8")
    for name, part in parts.items():
        assert f"<!-- {name} -->" in text, name
        text = text.replace(f"<!-- {name} -->", part)
    page.write_text(text, encoding="utf-8")
    return page


def write_charts(folder: Path, charts: Mapping[str, str]) -> None:
    """Write charts, by name, as SVG files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, chart in charts.items():
        (folder / f"{name}.svg").write_text(chart, encoding="utf-8")


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, text: bool = False) -> str:
    """A Markdown table with numbers to the right, or with text alone."""
    lines = [header, ["---", *["---" if text else "---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
