"""Partitioning from the top down: Mondrian, TopDown."""
