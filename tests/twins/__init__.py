"""Plain-Python twins of the algorithms, one file each."""
