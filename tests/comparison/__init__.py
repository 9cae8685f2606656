"""compare_releases: what a reader of two releases learns."""
