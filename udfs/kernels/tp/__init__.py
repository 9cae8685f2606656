"""TP and TP+."""
