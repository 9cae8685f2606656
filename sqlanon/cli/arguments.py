"""Arguments that several commands share, and how their texts are read."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from ..errors import InvalidParameter
from ..functions.parameters import ENTITY, MEANING_OF_NULL
from ..publishing.session import Session
from ..publishing.taxonomies import open_taxonomies


class Format(StrEnum):
    """The formats of quasi-identifiers."""

    TEXT = "text"
    TYPED = "typed"


class Nulls(StrEnum):
    """The meaning of a missing quasi-identifier."""

    VALUE = "value"
    WILDCARD = "wildcard"
    EXCLUDE = "exclude"


Columns = Annotated[list[str], typer.Option("--qi", help="Quasi-identifiers, with commas between.", metavar="COLUMNS")]
OptionalColumns = Annotated[
    list[str] | None, typer.Option("--qi", help="Quasi-identifiers, with commas between.", metavar="COLUMNS")
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("--sa", help="Sensitive attribute, or several with commas between.", metavar="COLUMNS"),
]
Taxonomies = Annotated[
    list[str] | None,
    typer.Option(
        "--taxonomy", help="Taxonomy of a column: a file, or a table of a database. Repeatable.", metavar="COLUMN=FILE"
    ),
]
Bounds = Mapping[str, Any]
"""The bounds that were given: see options.py."""
NO_BOUNDS: Bounds = {}
Entity = Annotated[str | None, typer.Option("--entity", help=ENTITY.help, metavar="COLUMN")]
NullMeaning = Annotated[Nulls | None, typer.Option("--nulls", help=MEANING_OF_NULL.help)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def read_columns(argument: str, texts: Sequence[str] | None) -> list[str]:
    """The names of columns; one with a comma goes in double quotes.

    >>> read_columns("qi", ["age,zip", '"a,b"'])
    ['age', 'zip', 'a,b']
    """
    names = [name for line in csv.reader(texts or [], skipinitialspace=True, strict=True) for name in line]
    if "" in names:
        raise InvalidParameter(f"{argument}: the name of a column is empty.")
    return names


def read_sensitive(texts: Sequence[str] | None) -> str | list[str] | None:
    """One sensitive attribute, or a list of several, or none."""
    names = read_columns("sa", texts)
    return names[0] if len(names) == 1 else names or None


def read_pairs(argument: str, texts: Sequence[str] | None) -> dict[str, str]:
    """Texts of the form name=value."""
    pairs: dict[str, str] = {}
    for text in texts or []:
        name, separator, value = text.partition("=")
        if not (name and separator and value):
            raise InvalidParameter(f"{argument}: {text!r} is not of the form name=value.")
        if name in pairs:
            raise InvalidParameter(f"{argument}: {name!r} is given twice.")
        pairs[name] = value
    return pairs


def read_options(texts: Sequence[str] | None) -> dict[str, object] | None:
    """Options: a number, true, false, a JSON object or list, or else a text.

    >>> read_options(["suppress=0.05", "exact=true", "class=income"])
    {'suppress': 0.05, 'exact': True, 'class': 'income'}
    """
    options: dict[str, object] = {}
    for name, value in read_pairs("option", texts).items():
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options or None


def read_taxonomies(session: Session, texts: Sequence[str] | None) -> dict[str, str] | None:
    """Taxonomies by column, as SQL functions take them."""
    return open_taxonomies(session, read_pairs("taxonomy", texts))
