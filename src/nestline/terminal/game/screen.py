"""The board as the terminal game shows it: pieces, reserves, and covered pieces.

`draw` does the drawing; here the covered pieces go beside the board, so that any position fits on a
screen of 24 lines.
"""

from itertools import zip_longest

import click

from nestline.draw import text_board
from nestline.game import Game
from nestline.position import Piece
from nestline.rules import RuleSet
from nestline.terminal.game.spelling import spell

GAP = "    "


def board_picture(game: Game, width: int, colour: bool) -> str:
    """What the player to move may see of the game, on a screen this many characters wide."""
    view = game.view(game.turn)
    left = text_board(
        game.position,
        view={square: stack[-1:] for square, stack in view.items()},
        colour=colour,
        last_move=game.last_move,
    ).split("\n")
    board_rows = left.index("") if "" in left else len(left)
    covered = [
        f"{spell(square, game.rules)}: {stack_in_symbols(stack, game.rules)}"
        for square, stack in view.items()
        if len(stack) > 1
    ]
    if covered:
        right = ["Covered pieces", *covered]
        columns = [right[start : start + board_rows] for start in range(0, len(right), board_rows)]
        beside = left[:board_rows]
        for column in columns:
            beside = _beside(beside, column)
        if max(len(click.unstyle(line)) for line in beside) <= width:
            left[:board_rows] = beside
        else:
            left += ["", *right]
    return "\n".join(left)


def _beside(left: list[str], right: list[str]) -> list[str]:
    width = max(len(click.unstyle(line)) for line in left)
    rows = []
    for one, other in zip_longest(left, right, fillvalue=""):
        padding = " " * (width - len(click.unstyle(one)))
        rows.append(f"{one}{padding}{GAP}{other}" if other else one)
    return rows


def stack_in_symbols(stack: tuple[Piece, ...], rules: RuleSet) -> str:
    """A stack from top to bottom: `B3 over R1`."""
    return " over ".join(f"{rules.symbols[piece.side]}{piece.size}" for piece in reversed(stack))
