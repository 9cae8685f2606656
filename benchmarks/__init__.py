"""How fast, how large, how good: python -m benchmarks."""
