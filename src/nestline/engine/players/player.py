"""The base class of all players, a random player, and the engine as a player.

`levels` makes players from the name of a level.
"""

import random
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from nestline.engine.choices import moves_of
from nestline.engine.search.engine import MEMORY, Engine, Limits, Stop
from nestline.engine.search.weights import Weights
from nestline.game import Game
from nestline.position import Move
from nestline.rules import RuleSet


class Player(ABC):
    """Anything that chooses moves; close it after use, or use it in a `with` statement."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name people see."""

    @abstractmethod
    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        """A legal move in an unfinished game; the game is not changed.

        Asked to stop, a slow player answers soon, with the best move it has found.
        """

    def prepare(self, rules: RuleSet, wait: bool = False) -> None:  # noqa: B027  (most need none)
        """Get ready to play by these rules: in the background, unless told to wait.

        `NestlineError` if it cannot play by them. A player that has waited keeps its way of playing
        for the whole game.
        """

    def remark(self) -> str | None:
        """What its opponent should know about how it plays at the moment, as a sentence."""
        return None

    def close(self) -> None:  # noqa: B027  (most hold nothing)
        """Release its resources, and end its background work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class RandomPlayer(Player):
    """Plays a legal move, uniformly at random."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        return self._random.choice(moves_of(game))


class EnginePlayer(Player):
    """The engine at full strength within limits."""

    name = "engine"

    def __init__(
        self,
        limits: Limits,
        seed: int | None = None,
        *,
        memory: int = MEMORY,
        threads: int = 1,
        tables: bool = True,
        weights: Weights | None = None,
        selective: bool = True,
    ) -> None:
        self.limits = limits
        self._options = {
            "memory": memory, "threads": threads, "seed": seed, "tables": tables,
            "weights": weights, "selective": selective,
        }  # fmt: skip
        self._engine: Engine | None = None

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        return self.engine_for(game).think(game, self.limits, stop=stop).move

    def engine_for(self, game: Game) -> Engine:
        """The engine for the rules of a game; it clears its transposition table for a new game."""
        if self._engine is None or self._engine.rules != game.rules:
            self._engine = Engine(game.rules, **self._options)  # type: ignore[arg-type]
        elif game.ply < 2:
            self._engine.forget()
        return self._engine
