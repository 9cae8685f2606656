"""The cells of a release: a class for each kind of cell; and what any published cell covers.

A cell is told by the group, from the codes that its rows have; or by the algorithm, as a label or a set of values; or
it is the row's own value. The macros of sql/write_cells.sql write it. `assigned` has what the algorithm says of rows:
their groups (or none, in a release without groups), the level of each cell, or the set of each. Then come

    spans      one row per group: `members`, what its rows publish of their own, sorted; what cells take from all rows
    groups     the same with what the group publishes
    dictionary one row: by column, the list that turns codes, or positions, into what is published
    opened     one row per member, with values for codes

A release without groups (see sets) has the last two of them. coverage.py reads cells again.
"""
