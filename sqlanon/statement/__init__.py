"""What all statements share: tables of users, templates, how SQL is written, and how a call becomes one statement."""
