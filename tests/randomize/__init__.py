"""Tests of randomize, and of what reads its releases."""
