"""What made-up people are like."""
