"""What all do that partition rows along an order, whatever gave it."""
