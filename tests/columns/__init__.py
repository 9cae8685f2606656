"""columns and quasi_identifiers: what a table holds, and which of its columns lead to people."""
