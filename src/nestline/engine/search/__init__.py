"""Alpha-beta, its transposition table and evaluation; the engine around it; training."""
