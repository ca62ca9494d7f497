"""Games between people and computers: what players may do and see, and who is told."""
