"""Runs the cells of a notebook as Jupyter does, without it; `python tests/project/notebook.py` stores the outputs."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def read(path: Path = NOTEBOOK) -> dict[str, Any]:
    """The notebook."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells that have code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(notebook: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The output of each code cell, one after the other, in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(code_cells(notebook), 1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = run("".join(cell["source"]), namespace)
        shown: list[dict[str, Any]] = []
        if printed.getvalue():
            shown.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
        if value is not None:
            shown.append(
                {"data": display(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
            )
        yield shown


def run(source: str, namespace: dict[str, Any]) -> object:
    """Run a cell; its value is that of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)


def display(value: object) -> dict[str, list[str]]:
    """The parts of a value that Jupyter stores: its HTML, if it has one, and its text."""
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    return ({"text/html": lines(html)} if html else {}) | {"text/plain": lines(repr(value))}


def lines(text: str) -> list[str]:
    """Text as notebooks store it."""
    return text.splitlines(keepends=True)


def store() -> None:
    """Run the notebook and write it with what it shows."""
    notebook = read()
    for number, (cell, shown) in enumerate(zip(code_cells(notebook), outputs(notebook), strict=True), 1):
        cell["execution_count"], cell["outputs"] = number, shown
    NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    store()
