"""The study of positions and games: exact values, engine analysis, reviews."""
