"""1/l and tau are said in the same words everywhere, and in none that promise more than a release keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SENTENCE = (
    "n no published class does a sensitive value take more than 1/l of the rows; whoever learns from the whole "
    "release, or knows more, may guess better"
)
"""The one sentence about 1/l; docs/threat-model.md explains it."""

TELLERS = ("README.md", "docs/choosing.md", "docs/concepts.md", "docs/functions.md", "docs/cli.md")
TOO_STRONG = (
    r"(nobody|no one|none)[^.:;]{0,60}(guess|chance)",
    r"better chance than (1/|tau|\{)",
    r"(guess|chance)[^.:;]{0,40}(1/l|tau) at most",
    r"best guess is right",
    r"can be pinned on",
    r"Nobody who finds a row",
)


def texts() -> Iterator[Path]:
    """All that people read: pages, comments of macros, the words of commands and reports."""
    yield from (ROOT / "README.md", ROOT / "pyproject.toml")
    for folder, pattern in (("docs", "*.md"), ("sql", "*.sql"), ("sqlanon", "*.py"), ("sqlanon", "*.html")):
        yield from sorted((ROOT / folder).rglob(pattern))


def prose(path: Path) -> str:
    """A text in one line; what stands at the edge of a comment or of a string is no word of it."""
    return re.sub(r'\s+(--\s+|#\s+|f?"(?=\w))?', " ", path.read_text(encoding="utf-8"))


def test_no_text_promises_more_than_shares_of_classes() -> None:
    too_strong = [
        (str(path.relative_to(ROOT)), match[0])
        for path in texts()
        for words in TOO_STRONG
        for match in re.finditer(words, prose(path))
    ]
    assert too_strong == []


@pytest.mark.parametrize("name", TELLERS)
def test_what_one_in_l_means_is_said_in_one_sentence_with_a_link(name: str) -> None:
    text = prose(ROOT / name)
    assert SENTENCE in text
    assert "threat-model.md#what-1l-is-about" in text


def test_the_threat_model_explains_both() -> None:
    text = prose(ROOT / "docs" / "threat-model.md")
    assert f"## What 1/l is about I{SENTENCE}." in text
    assert "## What tau is about" in text
    for name in ("docs/functions.md", "docs/cli.md", "docs/choosing.md", "docs/concepts.md"):
        assert "threat-model.md#what-tau-is-about" in prose(ROOT / name)
