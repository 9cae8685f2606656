"""Statements of certificates: what a release holds, and its content hash."""
