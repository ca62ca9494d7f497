"""Matches and tournaments between players, and what they say about strength."""
