"""The solver and its tables."""
