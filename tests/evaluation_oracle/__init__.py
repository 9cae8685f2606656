"""What the functions that evaluate must answer, in plain Python, one file per function."""
