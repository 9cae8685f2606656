"""Reports: their numbers, their two kinds, hostile names, verdicts, and how a browser shows them."""
