"""What functions must answer, in plain Python and exact fractions; nothing here imports sqlanon."""
