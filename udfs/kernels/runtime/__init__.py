"""How kernels are compiled, kept and stopped."""
