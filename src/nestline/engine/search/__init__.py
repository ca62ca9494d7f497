"""Alpha-beta search, its transposition table and evaluation; the engine around it; training."""
