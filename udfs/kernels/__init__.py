"""Kernels: arrays in, arrays out. They know no Arrow, no SQL and no names."""
