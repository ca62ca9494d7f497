"""Puzzles: positions with exactly one winning move, found in play, proved, and graded.

The command `nestline puzzles` makes and checks files of them; the page poses them.
"""
