"""Taxonomies: read, checked, and made from data."""
