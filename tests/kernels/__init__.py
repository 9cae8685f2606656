"""Tests of the kernels and of what stands around them, one file each; their plain twins are in tests/twins."""
