"""What holds the project together: who imports whom, the table of functions, the documentation."""
