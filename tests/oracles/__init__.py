"""The right answers of functions, in plain Python and exact fractions; nothing here imports sqlanon."""
