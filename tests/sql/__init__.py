"""SQL tested with SQL: the .test files, and what runs them."""
