"""The rules and the values built on them: kernel, positions, games, notation, records."""
