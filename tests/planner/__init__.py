"""What holds for the statement of every function: users' queries, users' macros, errors."""
