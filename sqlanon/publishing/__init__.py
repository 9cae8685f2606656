"""From a place of data to a release in another: files and tables of databases, for the command line and for policies.

Nothing here prints, and neither Typer nor rich is imported.
"""
