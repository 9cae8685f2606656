"""Certificates: the content hash, the SQL function, the check, the JSON."""
