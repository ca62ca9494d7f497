"""A player that knows the solution: it plays by the table of its rule set.

Among winning moves it takes the fastest, among losing ones the longest, and among draws the one
after which the opponent has the most ways to go wrong. Until the table is built, the search plays.
"""

import os
import random

from nestline.engine.players import SearchPlayer, draws_by_repetition, moves_of
from nestline.game import Game
from nestline.position import Move, Position
from nestline.rules import RuleSet
from nestline.solve.background import BackgroundTable
from nestline.solve.table import Table


class PerfectPlayer:
    """Plays by the table; builds it in the background if it is not there."""

    name = "perfect"

    def __init__(
        self, seed: int | None = None, folder: "str | os.PathLike[str] | None" = None
    ) -> None:
        self._random = random.Random(seed)
        self._folder = folder
        self._meanwhile = SearchPlayer("hard", seed)
        self._source: BackgroundTable | None = None

    def prepare(self, rules: RuleSet) -> BackgroundTable:
        """Open the table of a rule set, or begin to build it; `TableError` if it is too large."""
        if self._source is None or self._source.rules != rules:
            self.close()
            self._source = BackgroundTable(rules, self._folder)
        return self._source

    def close(self) -> None:
        """Leave a build that still runs."""
        if self._source:
            self._source.cancel()

    def choose(self, game: Game) -> Move:
        moves = moves_of(game)
        table = self.prepare(game.rules).table
        if table is None:
            return self._meanwhile.choose(game)
        probes = [probe for probe in table.moves(game.position) if probe.move in moves]
        best = probes[0]
        equal = [probe.move for probe in probes if probe[1:] == best[1:]]
        if best.value == "loss":
            # The table does not know the game's history, which may offer a draw.
            equal = [move for move in moves if draws_by_repetition(game, move)] or equal
        elif best.value == "draw":
            ways = [ways_to_go_wrong(table, game.position.play(move)) for move in equal]
            equal = [move for move, way in zip(equal, ways, strict=True) if way == max(ways)]
        return self._random.choice(equal)


def ways_to_go_wrong(table: Table, position: Position) -> int:
    """How many moves of the player to move lose."""
    return sum(probe.value == "loss" for probe in table.moves(position))
