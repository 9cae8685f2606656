"""The functions that verify any table, and the same as plain SQL for other engines."""
