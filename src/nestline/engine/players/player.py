"""Who chooses moves: the `Player` protocol, a random player, and the engine as a player.

Players are made by their level's name in `levels`.
"""

import random
from typing import Protocol

from nestline.engine.choices import moves_of
from nestline.engine.search.engine import MEMORY, Engine, Limits, Stop
from nestline.engine.search.weights import Weights
from nestline.game import Game
from nestline.position import Move


class Player(Protocol):
    """Anything that can choose a move."""

    @property
    def name(self) -> str:
        """What people call it."""

    def choose(self, game: Game) -> Move:
        """A legal move in a game that goes on; the game is not changed."""


class RandomPlayer:
    """Plays any legal move with equal chances."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        return self._random.choice(moves_of(game))


class EnginePlayer:
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
        """The engine for the rules of a game; it forgets when another game begins."""
        if self._engine is None or self._engine.rules != game.rules:
            self._engine = Engine(game.rules, **self._options)  # type: ignore[arg-type]
        elif game.ply < 2:
            self._engine.forget()
        return self._engine
