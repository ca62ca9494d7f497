"""Players that choose moves: at random, or by search."""
