"""BSGI: bucketize, select, group, incorporate."""
