"""Queries and conditions of users, read into plain values; no text of it goes on.

query        one SELECT of an aggregate, for estimate and rewrite
conditions   its WHERE, and the predicates of count_query_error
"""
