"""The computer's players by the names of their levels.

>>> from nestline import Game
>>> game = Game("tictactoe")
>>> for move in ("a1", "b1", "a2", "b2"):
...     game.play(move)
>>> str(make_player("hard").choose(game))
'1a3'

The level `random` comes before the numbered ones, on 4x4 with those for children in between; after
them comes `perfect` where a game is solved, the `maximum` ones where not. `level_names` says which
rule sets have which, `ladders` what they do.
"""

from collections.abc import Iterable

import numpy as np

from nestline.engine.choices import moves_of
from nestline.engine.players.ladders import Level, level_for
from nestline.engine.players.level_names import (
    ALIASES,
    LEVEL_NAMES,
    MAXIMUM_SECONDS,
    PERFECT,
    RANDOM,
)
from nestline.engine.players.mistakes import best_misjudged, noticed_win, plies_ahead, remembered
from nestline.engine.players.perfect import PerfectPlayer
from nestline.engine.players.player import EnginePlayer, Player, RandomPlayer
from nestline.engine.search.chance import make_chance, next_word
from nestline.engine.search.engine import Engine, Limits, Stop
from nestline.errors import GameError, did_you_mean
from nestline.game import Game
from nestline.position import Move, code_of_move, move_of_code
from nestline.rules import RuleSet
from nestline.system import cores
from nestline.threats import NO_MOVE

MOST_SECONDS = 1.0
"""No numbered level thinks longer than this about a move."""

MAXIMUM_MEMORY = 64
"""The MiB of the transposition table of the levels `maximum`."""


class LevelPlayer(Player):
    """The engine, weakened to a numbered level, or to one of your own."""

    name = "level"

    def __init__(self, level: str | Level, seed: int | None = None) -> None:
        if isinstance(level, str):
            self.name = level
        self._level = level
        self._chance = make_chance(seed)
        self._engine: Engine | None = None

    def level(self, rules: RuleSet) -> Level:
        """What it does in a game of these rules."""
        return self._level if isinstance(self._level, Level) else level_for(self._level, rules)

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        """A move of this strength; asked to stop, it plays the best move found so far."""
        moves = moves_of(game)
        engine = self._engine_for(game)
        level, words = self.level(game.rules), game.position.words
        codes = np.array([code_of_move(game.rules, move) for move in moves], np.int64)
        win = noticed_win(*words, codes, level.sees_wins, game.rules.law, self._chance)
        if win != NO_MOVE:
            return move_of_code(game.rules.board, win)
        depth = plies_ahead(level.depth, self._chance)
        if level.forgets:
            words = remembered(*words, level.forgets, self._chance)
        if depth == 0:
            lines = engine.glance(game, words)
        else:
            lines = engine.think(
                game,
                Limits(seconds=MOST_SECONDS, depth=depth, nodes=level.nodes),
                variations=len(moves) if level.blur else 1,
                stop=stop,
                remembered=words,
            ).variations
        if not level.blur:
            return lines[0].move
        scores = np.array([line.score for line in lines], np.int64)
        return lines[best_misjudged(scores, level.blur, level.sees_wins, self._chance)].move

    def _engine_for(self, game: Game) -> Engine:
        if self._engine is None or self._engine.rules != game.rules:
            seed = next_word(self._chance)
            self._engine = Engine(game.rules, seed=seed, tables=False)
        elif game.ply < 2:
            self._engine.forget()
        return self._engine


class MaximumPlayer(EnginePlayer):
    """The engine at its best: it thinks by the clock, on all cores."""

    def __init__(self, level: str, seed: int | None = None) -> None:
        self.name = level
        limits = Limits(seconds=MAXIMUM_SECONDS[level])
        super().__init__(limits, seed, memory=MAXIMUM_MEMORY, threads=cores())


def check_level(level: str, offered: Iterable[str] = LEVEL_NAMES) -> None:
    """`GameError` if there is no such level; it names the levels that are offered."""
    if level not in LEVEL_NAMES and level not in ALIASES:
        names = (*offered, *ALIASES)
        raise GameError(
            f"there is no level {level!r}{did_you_mean(level, names)}; "
            f"levels are {', '.join(names)}"
        )


def make_player(level: str, seed: int | None = None) -> Player:
    """The player of a level; the seed decides its choice among equal moves, and its errors."""
    check_level(level)
    if level == RANDOM:
        return RandomPlayer(seed)
    if level == PERFECT:
        return PerfectPlayer(seed)
    if level in MAXIMUM_SECONDS:
        return MaximumPlayer(level, seed)
    return LevelPlayer(level, seed)
