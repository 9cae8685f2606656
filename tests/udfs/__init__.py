"""Arrow functions, called by hand."""
