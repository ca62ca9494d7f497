"""The computer's levels: 1 to 10 by search depth and error rate, `random` below, `perfect` above.

>>> from nestline import Game
>>> game = Game("tictactoe")
>>> for move in ("a1", "b1", "a2", "b2"):
...     game.play(move)
>>> str(make_player("hard").choose(game))
'1a3'

Weaker levels make human mistakes. They search few nodes, so they miss what lies deep; they misjudge
moves a little, so now and then the second-best looks best; and they forget covered pieces, so they
lift what they should have left alone. From level 3 on they never miss a win in one.
"""

from dataclasses import dataclass

import numpy as np

from nestline.engine.choices import moves_of
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.engine.players.mistakes import best_misjudged, remembered, win_at_once
from nestline.engine.players.perfect import PerfectPlayer
from nestline.engine.players.player import Player, RandomPlayer
from nestline.engine.search.alphabeta import MAX_DEPTH
from nestline.engine.search.chance import make_chance, next_word
from nestline.engine.search.engine import Engine, Limits, Stop
from nestline.errors import GameError, did_you_mean
from nestline.game import Game
from nestline.position import Move, code_of_move, move_of_code
from nestline.threats import NO_MOVE


@dataclass(frozen=True)
class Level:
    """The strength of a level.

    It searches at most `nodes` nodes and `depth` plies deep; it misjudges each move by `blur`
    hundredths on average, and forgets each covered piece with probability `forgets`.
    """

    nodes: int
    depth: int = MAX_DEPTH
    blur: float = 0.0
    forgets: float = 0.0
    sees_wins: bool = True


LEVELS = {
    "1": Level(nodes=10_000, depth=2, blur=35, forgets=0.2, sees_wins=False),
    "2": Level(nodes=20_000, depth=3, blur=23, forgets=0.1, sees_wins=False),
    "3": Level(nodes=1_700, forgets=0.04),
    "4": Level(nodes=3_700, forgets=0.02),
    "5": Level(nodes=5_200, forgets=0.01),
    "6": Level(nodes=6_200),
    "7": Level(nodes=11_000),
    "8": Level(nodes=22_000),
    "9": Level(nodes=50_000),
    "10": Level(nodes=107_000),
}
"""The levels, weakest first; `docs/research/results.md` shows how far apart they are."""

MOST_SECONDS = 1.0
"""No level thinks longer than this about a move."""


class LevelPlayer(Player):
    """The engine, weakened to a level."""

    name = "level"

    def __init__(self, level: str | Level, seed: int | None = None) -> None:
        if isinstance(level, str):
            self.name = level
            self.level = LEVELS[ALIASES.get(level, level)]
        else:
            self.level = level
        self._chance = make_chance(seed)
        self._engine: Engine | None = None

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        """A move of this strength; asked to stop, it plays the best move found so far."""
        moves = moves_of(game)
        level = self.level
        if level.sees_wins:
            codes = np.array([code_of_move(game.rules, move) for move in moves], np.int64)
            win = win_at_once(*game.position.words, codes, game.rules.law)
            if win != NO_MOVE:
                return move_of_code(game.rules.board, win)
        limits = Limits(seconds=MOST_SECONDS, depth=level.depth, nodes=level.nodes)
        report = self._engine_for(game).think(
            game,
            limits,
            variations=len(moves) if level.blur else 1,
            stop=stop,
            remembered=self._remembered(game),
        )
        if not level.blur:
            return report.move
        scores = np.array([line.score for line in report.variations], np.int64)
        best = best_misjudged(scores, level.blur, level.sees_wins, self._chance)
        return report.variations[best].move

    def _remembered(self, game: Game) -> tuple[int, int] | None:
        """The bit boards of the position as a forgetful player remembers them."""
        if not self.level.forgets:
            return None
        return remembered(*game.position.words, self.level.forgets, self._chance)

    def _engine_for(self, game: Game) -> Engine:
        if self._engine is None or self._engine.rules != game.rules:
            seed = next_word(self._chance)
            self._engine = Engine(game.rules, seed=seed, tables=False)
        elif game.ply < 2:
            self._engine.forget()
        return self._engine


def check_level(level: str) -> None:
    """`GameError` if there is no such level."""
    if level not in LEVEL_NAMES and level not in ALIASES:
        names = (*LEVEL_NAMES, *ALIASES)
        raise GameError(
            f"there is no level {level!r}{did_you_mean(level, names)}; "
            f"levels are {', '.join(names)}"
        )


def make_player(level: str, seed: int | None = None) -> Player:
    """The player of a level; the seed decides its choice among equal moves, and its errors."""
    check_level(level)
    if level == RandomPlayer.name:
        return RandomPlayer(seed)
    if level == PerfectPlayer.name:
        return PerfectPlayer(seed)
    return LevelPlayer(level, seed)
