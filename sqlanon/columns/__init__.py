"""Statements about columns that the planner does not know: which there are, what they hold, whom they single out."""
