"""How the computer answers a draw offer."""

from nestline.engine.search.engine import Report
from nestline.game import Game
from nestline.position import Side


def accepts_draw(game: Game, thought: Report, side: Side) -> bool:
    """Whether the player of `side` should accept, given the engine's report on the game.

    It should if it is losing; otherwise only late in the game, and if it is not better.
    """
    to_move = game.turn == side
    loses = thought.plies_to_loss if to_move else thought.plies_to_win
    score = thought.score if to_move else -thought.score
    return loses is not None or (game.ply >= game.rules.squares and score <= 0)
