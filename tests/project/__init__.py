"""The project holds together: who imports whom, the table of functions, the documentation."""
