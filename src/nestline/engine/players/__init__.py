"""Players: the levels, the perfect player, and the baselines others are measured against."""
