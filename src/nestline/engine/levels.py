"""The computer's levels by name, from random play to perfect play.

>>> from nestline import Game
>>> game = Game("tictactoe")
>>> for move in ("a1", "b1", "a2", "b2"):
...     game.play(move)
>>> str(make_player("hard").choose(game))
'1a3'
"""

from nestline.engine.perfect import PerfectPlayer
from nestline.engine.players import LEVELS, Player, RandomPlayer, SearchPlayer
from nestline.errors import GameError

LEVEL_NAMES = (RandomPlayer.name, *LEVELS, PerfectPlayer.name)
"""Weakest first; `perfect` is for rule sets small enough to be solved."""


def make_player(level: str, seed: int | None = None) -> Player:
    """The player of a level; its choices among equals, and its errors, depend on the seed."""
    if level not in LEVEL_NAMES:
        raise GameError(f"there is no level {level!r}; levels are {', '.join(LEVEL_NAMES)}")
    if level == RandomPlayer.name:
        return RandomPlayer(seed)
    if level == PerfectPlayer.name:
        return PerfectPlayer(seed)
    return SearchPlayer(level, seed)
