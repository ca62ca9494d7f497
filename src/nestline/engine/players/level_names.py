"""The names of the computer's levels, for code that must not wait for the compiler.

What the levels do is in `levels`.
"""

LEVEL_NAMES = ("random", *(str(number) for number in range(1, 11)), "perfect")
"""Weakest first; `perfect` is for rule sets small enough to be solved."""

ALIASES = {"easy": "2", "medium": "5", "hard": "8"}
