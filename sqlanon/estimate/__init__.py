"""An analyst's query on the source, answered from the release: what it expects, and within which bounds.

points       its constants on the axes of their columns
regions      what they cut the values of a column into
decision     a tree that decides the condition, column by column
columns      the columns that the query uses
dialect      what differs between engines: above all, how they read published values
parts        published values on their axes, weighted
overlap, shares, odds
             how much of a published value satisfies a condition
answer       the selected columns
statement    puts it together, for DuckDB and for other engines
"""
