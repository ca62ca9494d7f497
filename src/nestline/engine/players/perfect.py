"""The perfect player: it plays by the tablebase of its rule set.

It picks the fastest win, or else the draw that gives the opponent the most ways to go wrong, or
else the slowest loss. Until the tablebase is built, it plays by search.
"""

import os
import random

from nestline.engine.choices import draws_by_repetition, moves_of, ranked_moves
from nestline.engine.players.player import EnginePlayer, Player
from nestline.engine.search.engine import Limits, Stop
from nestline.errors import TableError
from nestline.game import Game
from nestline.position import Move, Position
from nestline.rules import RuleSet
from nestline.solve.background import BackgroundTable
from nestline.solve.table import Table

MEANWHILE = 0.8
"""Seconds of search per move while there is no tablebase."""


class PerfectPlayer(Player):
    """Plays by the tablebase; if that is missing or damaged, builds it in the background."""

    name = "perfect"

    def __init__(
        self, seed: int | None = None, folder: "str | os.PathLike[str] | None" = None
    ) -> None:
        self._random = random.Random(seed)
        self._folder = folder
        self._meanwhile = EnginePlayer(Limits(seconds=MEANWHILE), seed, tables=False)
        self._source: BackgroundTable | None = None

    def prepare(self, rules: RuleSet, wait: bool = False) -> None:
        """Open the tablebase of a rule set, or start to build it. `TableError` if it is too large,
        or if it was waited for and could not be built."""
        source = self._source_for(rules)
        if wait and source.wait() is None:
            raise TableError(f"{rules.name} has no tablebase: {source.problem}")

    def _source_for(self, rules: RuleSet) -> BackgroundTable:
        if self._source is None or self._source.rules != rules:
            self.close()
            self._source = BackgroundTable(rules, self._folder)
        return self._source

    def remark(self) -> str | None:
        """The progress of the build; None once the tablebase is there."""
        source = self._source
        if source is None or source.table:
            return None
        if source.problem:
            return f"The search plays, since there is no tablebase: {source.problem}."
        return building_remark(source.part)

    def close(self) -> None:
        """Cancel a build that is still running."""
        if self._source:
            self._source.cancel()

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        moves_of(game)
        source = self._source_for(game.rules)
        if source.table is not None:
            try:
                return choose_by(source.table, game, self._random)
            except TableError:
                source.rebuild()
        return self._meanwhile.choose(game, stop)


def building_remark(part: float) -> str:
    """What a person waiting for perfect play is told while the tablebase is being built."""
    return (
        f"The tablebase for perfect play is being built, {part:.0%}; the search plays until then."
    )


def choose_by(table: Table, game: Game, chance: random.Random) -> Move:
    """A best move by the tablebase, the one that is hardest to answer."""
    probes = ranked_moves(table, game)
    best = probes[0]
    equal = [probe.move for probe in probes if probe[1:] == best[1:]]
    if best.value == "draw":
        ways = [_ways_after(table, game, move) for move in equal]
        equal = [move for move, way in zip(equal, ways, strict=True) if way == max(ways)]
    return chance.choice(equal)


def ways_to_go_wrong(table: Table, position: Position) -> int:
    """How many moves of the player to move lose."""
    return sum(probe.value == "loss" for probe in table.moves(position))


def _ways_after(table: Table, game: Game, move: Move) -> int:
    if draws_by_repetition(game, move):
        return 0
    return ways_to_go_wrong(table, game.position.play(move))
