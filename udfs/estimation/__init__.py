"""What the classes of a release say about a query on its source, in arrays.

question    the query, as the planner hands it over
cells       published values, taken apart into texts
axes        texts placed on their axis: numbers, days since 1970, or as they are
parts       each cell as weighted values and ranges
types       cells and constants as DuckDB compares them, or refused
shares      how much of each cell lies in a set of values
values      the values of a column of GROUP BY
odds        what each class adds to the answer
answers     summed up: expectation and bounds, group by group
arrays      what all of them do with arrays
"""
