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

import random
from dataclasses import dataclass

from nestline import kernel
from nestline.engine.choices import moves_of, wins_at_once
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.engine.players.perfect import PerfectPlayer
from nestline.engine.players.player import Player, RandomPlayer
from nestline.engine.search.alphabeta import FORCED, MAX_DEPTH
from nestline.engine.search.engine import Engine, Limits, Stop
from nestline.errors import GameError, did_you_mean
from nestline.game import Game
from nestline.position import Move


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
        self._random = random.Random(seed)
        self._engine: Engine | None = None

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        """A move of this strength; asked to stop, it plays the best move found so far."""
        moves = moves_of(game)
        level = self.level
        if level.sees_wins:
            for move in moves:
                if wins_at_once(game, move):
                    return move
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
        judged = [
            (line.score + self._blur(line.score), place)
            for place, line in enumerate(report.variations)
        ]
        return report.variations[max(judged)[1]].move

    def _blur(self, score: int) -> float:
        """A random error; only levels that overlook wins misjudge forced results."""
        if abs(score) > FORCED and self.level.sees_wins:
            return 0.0
        return self._random.gauss(0.0, self.level.blur)

    def _remembered(self, game: Game) -> tuple[int, int] | None:
        """The bit boards of the position without the covered pieces that are forgotten."""
        if not self.level.forgets:
            return None
        own, opp = game.position.words
        covered = kernel.under_larger(own | opp)
        return self._less(own, own & covered), self._less(opp, opp & covered)

    def _less(self, word: int, covered: int) -> int:
        while covered:
            piece = covered & -covered
            covered ^= piece
            if self._random.random() < self.level.forgets:
                word ^= piece
        return word

    def _engine_for(self, game: Game) -> Engine:
        if self._engine is None or self._engine.rules != game.rules:
            seed = self._random.getrandbits(32)
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
