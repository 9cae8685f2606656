"""privacy, violations, risk and the other verification functions, against the oracle and other checkers."""
