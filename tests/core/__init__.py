"""The law and the values built on it: kernel, positions, games, notation, records."""
