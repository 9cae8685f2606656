"""The same estimate as one plain statement, for engines that have no sqlanon: a release in text format, no taxonomies.

cells        a column of the release, and its published values taken apart
parts        values on their axes, weighted
overlap, shares, odds
             how much of a published value satisfies a condition
answer       the selected columns
statement    puts it together
"""
