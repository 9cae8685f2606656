"""What releases lose, and what they tell."""
