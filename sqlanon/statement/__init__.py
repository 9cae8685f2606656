"""Shared by all statements: tables of users, templates, engines, how SQL is written, how a call becomes SQL."""
