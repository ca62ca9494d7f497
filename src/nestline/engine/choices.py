"""What a player can choose from: the legal moves of a game, and their values in the tablebase."""

from collections.abc import Iterator

from nestline.errors import GameError
from nestline.game import Game
from nestline.position import Move, Position
from nestline.solve.table import MoveProbe, Table, best_first

DRAWN_LINE_PLIES = 4
"""A drawn game may never end, so its best line is cut off after this many plies."""


def moves_of(game: Game) -> tuple[Move, ...]:
    """The legal moves; `GameError` if the game is over."""
    moves = game.legal_moves()
    if not moves:
        raise GameError(f"there is no move to choose: {game.explain()}")
    return moves


def distinct_moves(position: Position) -> dict[Move, list[Move]]:
    """One move of each set that leads to images of one position, and the rest of its set."""
    representatives: dict[Position, Move] = {}
    images: dict[Move, list[Move]] = {}
    for move in position.legal_moves():
        first = representatives.setdefault(position.play(move).canonical(), move)
        if first is move:
            images[move] = []
        else:
            images[first].append(move)
    return images


def draws_by_repetition(game: Game, move: Move) -> bool:
    """Whether the move ends the game as a draw by repetition."""
    limit = game.rules.repetition
    if limit == 0:
        return False
    after = game.position.play(move)
    return after.outcome() is None and game.positions.count(after) + 1 >= limit


def ranked_moves(table: Table, game: Game) -> list[MoveProbe]:
    """The moves of a game with their values for the mover, best first.

    The tablebase knows positions, the game knows its history: a move that repeats a position too
    often is a draw.
    """
    legal = set(game.legal_moves())
    probes = [
        MoveProbe(probe.move, "draw", None) if draws_by_repetition(game, probe.move) else probe
        for probe in table.moves(game.position)
        if probe.move in legal
    ]
    return sorted(probes, key=best_first)


def best_line(position: Position, table: Table) -> Iterator[Move]:
    """Moves with best play by both sides: to the end, or for a few plies of a draw."""
    distance = table.probe(position).distance
    for _ in range(DRAWN_LINE_PLIES if distance is None else distance):
        move = table.moves(position)[0].move
        yield move
        position = position.play(move)
        if position.outcome():
            return
