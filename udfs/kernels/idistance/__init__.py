"""Partitioning along iDistance."""
