"""Statements that compare two releases of one table, as a reader of both can."""
