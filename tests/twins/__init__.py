"""Plain-Python twins of the kernels; nothing here imports sqlanon. `naive` holds what they share."""
