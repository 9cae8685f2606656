"""Which kind of cell each column of a release publishes: one place that chooses."""

from __future__ import annotations

from sqlanon.cells.cell import Cell, ExactValue, ListOfValues, OwnValue
from sqlanon.cells.extents import Leaves, RecodedValue
from sqlanon.cells.labels import Label, LabelLeaves, LabelText, MadeLabel, RowLabel
from sqlanon.cells.made import (
    MadeTaxonomyLabelLeaves,
    MadeTaxonomyLeaves,
    MadeTaxonomyText,
    MadeTaxonomyValue,
)
from sqlanon.statement.template import Columns, Role
from sqlanon.taxonomies.reader import has_made_ranges, is_made, is_made_of_column

from .request import Release

RECODED = {
    ("text", "generalize", False): "_sqlanon_range_text(_sqlanon_kind(typeof(:low)), :low, :high)",
    ("text", "generalize", True): "_sqlanon_label_text(:low_path, :high_path)",
    ("text", "suppress", False): "_sqlanon_star_text(:low, :high)",
    ("text", "suppress", True): "_sqlanon_star_text(:low, :high)",
    ("typed", "generalize", False): "_sqlanon_typed(:low, :low, :high, FALSE)",
    ("typed", "suppress", False): "_sqlanon_typed(:low, :low, :high, TRUE)",
    ("typed", "suppress", True): "_sqlanon_values(:low, :high)",
}
"""By format, recode, and whether the column has a taxonomy."""

EXACT = {
    ("text", False): "CAST(:value AS VARCHAR)",
    ("text", True): "CAST(:value AS VARCHAR)",
    ("typed", False): "_sqlanon_typed(:value, :value, :value, FALSE)",
    ("typed", True): "_sqlanon_values(:value, :value)",
}
"""By format, and whether the column has a taxonomy."""

LISTS = {"text": "_sqlanon_list_text(:value)", "typed": "(:value)"}


def cell_of(request: Release, columns: Columns, key: str) -> Cell:
    """The kind of cell of a column. Exact quasi-identifiers never stand beside the row's own sensitive value."""
    role, tree = columns.columns[key].role, key in columns.taxonomy
    exact = request.recode == "none"
    if role is Role.SENSITIVE and key in columns.trees:
        return RowLabel(key, labels_of(request.format, columns, key))
    if role is Role.SENSITIVE and exact:
        return ListOfValues(key, LISTS[request.format])
    if role is not Role.QI:
        return OwnValue(key)
    if exact:
        return ExactValue(key, EXACT[request.format, tree])
    if request.publishes_labels and key not in columns.taxonomy:
        return MadeLabel(key, level_number(columns, key), RECODED[request.format, "generalize", False])
    made, ranges = made_of(request, columns, key)
    if request.publishes_labels and made and request.format == "typed":
        return MadeTaxonomyLabelLeaves(key, level_number(columns, key), columns.names[key])
    if request.publishes_labels and ranges:
        return MadeTaxonomyText(key, level_number(columns, key))
    if request.publishes_labels:
        return labels_of(request.format, columns, key)
    wildcards = request.nulls == "wildcard"
    if (request.format, request.recode, tree) == ("typed", "generalize", True):
        return (MadeTaxonomyLeaves if made else Leaves)(key, wildcards, columns.names[key])
    relabelled = ranges and request.recode == "generalize"
    return (MadeTaxonomyValue if relabelled else RecodedValue)(
        key, wildcards, RECODED[request.format, request.recode, tree]
    )


def made_of(request: Release, columns: Columns, key: str) -> tuple[bool, bool]:
    """Whether the taxonomy of a column is made of values that may not be published, and whether labels are ranges then.

    A query may well read a public taxonomy: it counts as made of the data only if rows may be left out.
    """
    table, name = columns.taxonomy.get(key), columns.names[key]
    if table is None or not is_made(table, name):
        return False, False
    leaves_out = request.nulls == "exclude" or "suppress" in dict(request.options) or request.algorithm.apart
    return leaves_out or is_made_of_column(table), has_made_ranges(table)


def labels_of(format: str, columns: Columns, key: str) -> Label:
    """The labels of a taxonomy, at the level that the algorithm chose."""
    number = level_number(columns, key)
    return LabelText(key, number) if format == "text" else LabelLeaves(key, number, columns.names[key])


def level_number(columns: Columns, key: str) -> int:
    """Which of the levels of a row is that of the column."""
    return columns.trees.index(key) + 1
