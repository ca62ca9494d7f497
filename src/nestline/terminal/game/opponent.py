"""The computer as the opponent: its moves, its answers to draw offers, its hints.

`engine` does the thinking; this module calls it, and announces the wait for the first compilation.
"""

from nestline.engine.players import draw_offers
from nestline.engine.players.level_names import is_large, levels_of
from nestline.engine.players.levels import check_level, make_player
from nestline.engine.players.player import Player, RandomPlayer
from nestline.engine.search.engine import Engine, Limits, Report
from nestline.engine.warm_up import warm_up_search
from nestline.errors import GameError
from nestline.game import Game, Seat
from nestline.position import Side
from nestline.terminal.common import say
from nestline.terminal.game.spelling import spell_move

SECONDS_FOR_A_HINT = 1.0


def seat_players(game: Game, people: int | None, level: str | None, first: str | None) -> None:
    """Set who plays; None keeps a setting, or takes the default where there is none yet.

    `first` is `person` or `computer`, and matters when one person plays.
    """
    if people is None and first is None:
        if level is not None:
            set_level(game, level)
        return
    level = level or next((seat.level for seat in game.seats if seat.level), "medium")
    person, computer = Seat("Person"), Seat("Computer", level)
    if people == 2:
        one, other = game.rules.players
        game.seats = Seat(one), Seat(other)
    elif people == 0:
        game.seats = computer, computer
    else:
        game.seats = (computer, person) if first == "computer" else (person, computer)


def set_level(game: Game, level: str) -> None:
    """Change the level of the computer, on whichever sides it plays."""
    check_level(level, levels_of(game.rules, is_solved=not is_large(game.rules)))
    if not any(seat.is_computer for seat in game.seats):
        raise GameError("no computer plays in this game")
    first, second = (
        seat._replace(level=level) if seat.is_computer else seat for seat in game.seats
    )
    game.seats = first, second


def players_of(game: Game, seed: int | None) -> dict[Side, Player]:
    """A player for each side that the computer plays; each with its own random numbers."""
    players: dict[Side, Player] = {}
    for side in Side:
        level = game.seats[side].level
        if level is not None:
            player = make_player(level, None if seed is None else seed + side)
            if level != RandomPlayer.name:
                prepare_search()
            player.prepare(game.rules)
            players[side] = player
    return players


def leave_players(players: dict[Side, Player]) -> None:
    """Stop the background work of players."""
    for player in players.values():
        player.close()


def think_hard(game: Game) -> Report:
    """What the engine at full strength, or the tablebase, says about a game."""
    prepare_search()
    return Engine(game.rules).think(game, Limits(seconds=SECONDS_FOR_A_HINT))


def prepare_search() -> None:
    """Load the compiled search, and announce the wait if it has to be compiled first."""
    warm_up_search(say)


def hint_for(game: Game) -> str:
    """A good move for the player to move, in words; refused where it would reveal a secret."""
    if game.visibility != "open" and any(len(pile) > 1 for pile in game.position.stacks.values()):
        raise GameError("there are no hints while pieces lie covered, which you have to remember")
    thought = think_hard(game)
    return f"Hint: {spell_move(thought.move, game.rules)}{_in_words(thought)}."


def _in_words(thought: Report) -> str:
    distance = thought.plies_to_win or thought.plies_to_loss
    if distance is None:
        return "; it draws" if thought.exact else ""
    when = "at once" if distance == 1 else f"in {distance} plies"
    return f"; it {'wins' if thought.plies_to_win else 'loses'} {when}"


def accepts_draw(game: Game) -> bool:
    """Whether the computer accepts a draw offered by the person to move."""
    return draw_offers.accepts_draw(game, think_hard(game), game.turn.other)
