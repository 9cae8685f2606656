"""Partitioning along the Hilbert curve."""
