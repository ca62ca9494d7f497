"""What the computer answers when it is offered a draw."""

from nestline.engine.search.engine import Report
from nestline.game import Game
from nestline.position import Side


def accepts_draw(game: Game, thought: Report, side: Side) -> bool:
    """Whether the player of `side` does well to agree, by what the engine thinks of the game.

    He does if he sees no way out, and otherwise only later in the game and when he is not better.
    """
    to_move = game.turn == side
    loses = thought.plies_to_loss if to_move else thought.plies_to_win
    score = thought.score if to_move else -thought.score
    return loses is not None or (game.ply >= game.rules.squares and score <= 0)
