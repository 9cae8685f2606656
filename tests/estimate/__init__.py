"""estimate, and rewrite for other engines."""
