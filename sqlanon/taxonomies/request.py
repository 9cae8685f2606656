"""The arguments of the functions that make and check taxonomies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from sqlanon.arguments import number, refuse_repeats, type_name
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments

MOST_CUTS = 1_000


@dataclass(frozen=True)
class NumericTaxonomy:
    """`cuts`, if there are any, are texts, and say all; otherwise there are so many bins by that method."""

    function: str
    tbl: str
    col: str
    bins: int
    method: str
    cuts: tuple[str, ...]


@dataclass(frozen=True)
class PrefixTaxonomy:
    """`levels` are those above the leaf."""

    function: str
    tbl: str
    col: str
    levels: int


@dataclass(frozen=True)
class DateTaxonomy:
    """The days, months and so on of a column."""

    function: str
    tbl: str
    col: str


@dataclass(frozen=True)
class EdgeTaxonomy:
    """Rows of `tbl` are edges; `levels` are those above the leaf."""

    function: str
    tbl: str
    child: str
    parent: str
    levels: int


@dataclass(frozen=True)
class TaxonomyCheck:
    """A taxonomy and the column it is meant for."""

    function: str
    taxonomy: str
    tbl: str
    col: str


def read_numeric(function: str, arguments: Mapping[str, object]) -> NumericTaxonomy:
    """Check the arguments of numeric_taxonomy."""
    checked = read_arguments(function, arguments)
    return NumericTaxonomy(
        function,
        tbl=checked["tbl"],
        col=checked["col"],
        bins=checked["bins"],
        method=checked["method"],
        cuts=cut_texts(checked["cuts"]),
    )


def read_prefix(function: str, arguments: Mapping[str, object]) -> PrefixTaxonomy:
    """Check the arguments of prefix_taxonomy."""
    checked = read_arguments(function, arguments)
    return PrefixTaxonomy(
        function,
        tbl=checked["tbl"],
        col=checked["col"],
        levels=checked["levels"],
    )


def read_date(function: str, arguments: Mapping[str, object]) -> DateTaxonomy:
    """Check the arguments of date_taxonomy."""
    checked = read_arguments(function, arguments)
    return DateTaxonomy(function, tbl=checked["tbl"], col=checked["col"])


def read_edges(function: str, arguments: Mapping[str, object]) -> EdgeTaxonomy:
    """Check the arguments of edge_taxonomy."""
    checked = read_arguments(function, arguments)
    child, parent = checked["child"], checked["parent"]
    refuse_repeats({"child": (child,), "parent": (parent,)}, reserved=())
    return EdgeTaxonomy(function, checked["tbl"], child, parent, checked["levels"])


def read_check(function: str, arguments: Mapping[str, object]) -> TaxonomyCheck:
    """Check the arguments of check_taxonomy."""
    checked = read_arguments(function, arguments)
    return TaxonomyCheck(
        function,
        taxonomy=checked["taxonomy"],
        tbl=checked["tbl"],
        col=checked["col"],
    )


def cut_texts(cuts: object) -> tuple[str, ...]:
    """Cuts as texts, in any order. Whether they are values of the column's type, the running statement knows."""
    if cuts is None:
        return ()
    if not isinstance(cuts, list) or not cuts:
        what = "empty" if cuts == [] else type_name(cuts)
        raise InvalidParameter(f"cuts must be a list of values, not {what}.", "Write cuts := [18, 65].")
    texts = tuple(map(cut_text, cuts))
    if len(set(cuts)) < len(cuts) or len(set(texts)) < len(texts):
        raise InvalidParameter("cuts has a value twice.", "A bin starts at each of them.")
    if len(cuts) > MOST_CUTS:
        raise InvalidParameter(f"cuts has {len(cuts):,} values; up to {MOST_CUTS:,} are possible.")
    return texts


def cut_text(cut: object) -> str:
    """A cut as DuckDB writes it."""
    if isinstance(cut, str) and cut.strip():
        return cut.strip()
    if isinstance(cut, date | time):  # a datetime is a date
        return cut.isoformat(" ") if isinstance(cut, datetime) else cut.isoformat()
    if isinstance(cut, timedelta):
        return f"{cut.days} days {cut.seconds} seconds {cut.microseconds} microseconds"
    if cut is None or isinstance(cut, str):
        raise InvalidParameter(f"cuts has {'NULL' if cut is None else 'an empty text'} in it.")
    checked = number("a cut", cut)
    return f"{checked:f}" if isinstance(checked, Decimal) else repr(checked)
