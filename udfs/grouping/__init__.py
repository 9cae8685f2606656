"""From a table in codes to the group of each row: eligibility, the algorithm, and what is said meanwhile."""
