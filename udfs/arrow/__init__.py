"""Where Arrow meets numpy: what DuckDB hands over, checked, and in the arrays that kernels work on."""
