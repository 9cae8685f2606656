"""The report itself: a value that is a page."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path


@dataclass(frozen=True)
class Report:
    """A page of HTML that needs no other file. In a notebook it is shown in a frame, so that styles do not mix.

    `holds` is its verdict: False if a promise is broken or the certificate does not fit, None if nothing was promised.
    """

    html: str
    holds: bool | None

    def write(self, path: str | Path) -> None:
        """Write the page to a file; one that is there is overwritten."""
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 80vh; min-height: 30em; border: 0"
        return f'<iframe sandbox srcdoc="{escape(self.html)}" style="{style}"></iframe>'
