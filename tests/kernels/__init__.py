"""Tests of the kernels and of what stands around them, one file each; `naive` holds their plain twins."""
