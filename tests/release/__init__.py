"""Publishing: what ldiverse, kanonymous and their like promise, and what they refuse."""
