"""Made-up people."""
