"""The opening explorer: what the engine thinks of the first moves of an unsolved game, how often
they were played in games against itself, and how these games ended."""
