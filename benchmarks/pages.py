"""Pages of docs/ that benchmarks write: their words from a file with places for tables, and charts beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_page(page: Path, words: Path, parts: Mapping[str, str], images: Path, charts: Mapping[str, str]) -> Path:
    """Fill the places, `<!-- name -->`, of `words`, and write the page and its charts; return the page."""
    text = words.read_text(encoding="utf-8")
    for name, part in parts.items():
        assert f"<!-- {name} -->" in text, name
        text = text.replace(f"<!-- {name} -->", part)
    images.mkdir(parents=True, exist_ok=True)
    for name, chart in charts.items():
        (images / f"{name}.svg").write_text(chart, encoding="utf-8")
    page.write_text(text, encoding="utf-8")
    return page
