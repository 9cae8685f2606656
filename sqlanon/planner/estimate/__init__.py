"""An analyst's query on the source, answered from the release: what it expects, and within which bounds.

points       its constants on the axes of their columns
regions      what they cut the values of a column into
decision     a tree that decides the condition, column by column
columns      the columns that the query uses
question     all that, for the Arrow function that answers it
statement    groups the release by what the query uses, and asks
"""
