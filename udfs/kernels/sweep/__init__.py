"""SWEEP, for (τ,l)-diversity."""
