"""From a table to its release: files and tables of databases, for the command line and for policies.

Nothing here prints, and neither Typer nor rich is imported.
"""
