"""Hiding values in lists, and reconstructing what lists hide."""
