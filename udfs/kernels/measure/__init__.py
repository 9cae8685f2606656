"""Measures of what releases lose, and what they tell."""
