"""Games as the environments hold them: one, or many against an opponent; spaces, pictures."""
