"""What a user asked for, checked: the arguments of each function as a frozen value, one module per kind of function."""
