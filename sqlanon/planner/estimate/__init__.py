"""An analyst's query on the source, rewritten to the release: what it expects, and within which bounds.

query        reads the query, conditions its WHERE
sets         what a condition allows, column by column, and a tree that decides it
cells, here, elsewhere, parts
take published values apart, in DuckDB or in any engine
overlap, shares, odds
how much of a published value satisfies a condition
answer       the selected columns
statement    puts it together
"""
