"""Refined: groups of the lowest loss, by annealing: moves and exchanges of rows that need not all be for the better."""
