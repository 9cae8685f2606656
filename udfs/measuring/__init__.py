"""Releases in codes: the cells of groups, and the count queries that they answer."""
