"""Statements for releases in which each value is hidden in a list."""
