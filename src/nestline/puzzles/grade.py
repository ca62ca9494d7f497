"""How hard a puzzle is: how often the computer's levels fail at it."""

from collections.abc import Callable, Iterable

from nestline.engine.players.levels import LevelPlayer
from nestline.game import Game
from nestline.position import Move, Position
from nestline.puzzles.puzzle import ATTEMPTS, Puzzle

LEVELS = ("1", "2", "3", "4", "5", "6")


class Graders:
    """Players of the levels 1 to 6, who try one puzzle after the other."""

    def __init__(self) -> None:
        seeds = range(ATTEMPTS // len(LEVELS))
        self._players = [LevelPlayer(level, seed) for level in LEVELS for seed in seeds]

    def failures(self, position: Position, line: list[Move]) -> int:
        """How many of them leave the winning line before its end."""
        return sum(not _solves(player, position, line) for player in self._players)


def graded(
    found: Iterable[tuple[Position, list[Move]]],
    advance: Callable[[float], None] = lambda part: None,
) -> list[Puzzle]:
    """Puzzles of positions and their lines, with grades that do not depend on their order.

    `advance` is told which part has been graded.
    """
    graders = Graders()
    puzzles = []
    # The players' random numbers go on from one puzzle to the next.
    ordered = sorted(found, key=lambda each: str(each[0]))
    for position, line in ordered:
        failures = graders.failures(position, line)
        puzzles.append(Puzzle(str(position), tuple(map(str, line)), failures))
        advance(len(puzzles) / len(ordered))
    return puzzles


def _solves(player: LevelPlayer, start: Position, line: list[Move]) -> bool:
    game = Game(start.rules, start=start)
    for place in range(0, len(line) - 1, 2):
        if player.choose(game) != line[place]:
            return False
        game.play(line[place])
        game.play(line[place + 1])
    game.play(player.choose(game))
    return game.outcome is not None and game.outcome.winner == start.turn
