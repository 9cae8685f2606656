"""The smallest loss that any grouping of a table can have: bounds that are proven, not reached."""
