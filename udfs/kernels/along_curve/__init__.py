"""The steps of all that partition rows along an order, whatever order it is."""
