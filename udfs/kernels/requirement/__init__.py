"""The requirement of a class: bounds on how many of its rows have which sensitive value."""
