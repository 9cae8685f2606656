"""The built-in data sets."""
