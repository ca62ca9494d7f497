"""Every screen of the page, by name: how a visitor gets there. Each room of the page has a module.

The accessibility test visits them all, and so does `make screenshots`.
"""

from browser.screens import games, learning, pages, people, start_page, studies
from browser.screens.common import (
    DANGER,
    HERE,
    LINE_OF_X,
    MIDDLE,
    OPEN,
    READY,
    SCREENS,
    SHORT_GAME,
    STACKS,
    Screen,
)  # fmt: skip
from browser.screens.learning import solve

ROOMS = (start_page, games, people, studies, learning, pages)
"""Importing them has filled the list."""

__all__ = [
    "DANGER", "HERE", "LINE_OF_X", "MIDDLE", "OPEN", "READY", "ROOMS", "SCREENS", "SHORT_GAME",
    "STACKS", "Screen", "solve",
]  # fmt: skip
