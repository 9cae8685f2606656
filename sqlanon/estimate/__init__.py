"""An analyst's query on the source, answered from the release: what it expects, and within which bounds.

points       its constants on the axes of their columns
regions      what they cut the values of a column into
decision     a tree that decides the condition, column by column
columns      the columns that the query uses
reader       how published values are read, which is all that differs between engines
parts        published values on their axes, weighted
overlap, shares, odds
             how much of a published value satisfies a condition
answer       the selected columns
statement    puts it together, for DuckDB and for other engines
"""
