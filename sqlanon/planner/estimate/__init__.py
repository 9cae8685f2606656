"""An analyst's query on the source, answered from the release: what it expects, and within which bounds.

query        reads the query, conditions its WHERE
sets         what a condition allows, column by column, and a tree that decides it
uses         the columns that the query uses, and the ways through those of GROUP BY
question     all that, for the Arrow function that answers it
statement    groups the release by what the query uses, and asks
"""
