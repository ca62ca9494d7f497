"""Positions and games as pictures in notebooks."""

from nestline.draw.vector import svg
from nestline.game import Game
from nestline.position import Position
from nestline.values import picture_of

PICTURE_SIZE = 320
"""Pixels; a notebook has room for two side by side."""


@picture_of.register
def _(position: Position) -> str:
    return svg(position, size=PICTURE_SIZE)


@picture_of.register
def _(game: Game) -> str:
    """What a spectator sees."""
    view, last_move = game.view(), game.last_move
    return svg(game.position, size=PICTURE_SIZE, view=view, last_move=last_move)
