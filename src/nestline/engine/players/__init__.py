"""Who chooses moves: levels, the perfect player, and the baselines others are measured against."""
