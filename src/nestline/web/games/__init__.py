"""Games between people and computers: what they may do, what they may see, and who is told."""
