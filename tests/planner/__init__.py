"""Promises of the statement of every function: users' queries, users' macros, errors."""
