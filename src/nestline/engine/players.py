"""Who chooses moves: the `Player` protocol, a random player, and a searching one.

Players are made by their level's name in `levels`.
"""

import random
import threading
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from nestline.engine import search
from nestline.errors import GameError
from nestline.game import Game
from nestline.position import Move, code_of_move


class Player(Protocol):
    """Anything that can choose a move."""

    @property
    def name(self) -> str:
        """What people call it."""

    def choose(self, game: Game) -> Move:
        """A legal move in a game that goes on; the game is not changed."""


class Thought(NamedTuple):
    """What a search found: a move, its score for the mover (see `search`), and how deep it went."""

    move: Move
    score: int
    depth: int

    @property
    def plies_to_win(self) -> int | None:
        """Plies to a forced win of the player to move, if one was found."""
        return search.WIN - self.score if self.score > search.FORCED else None

    @property
    def plies_to_loss(self) -> int | None:
        """Plies to a forced loss of the player to move, if one was found."""
        return search.WIN + self.score if self.score < -search.FORCED else None


@dataclass(frozen=True)
class Level:
    """How strong a searching player is.

    It reads `depth` plies in any case and goes on to `deepest` while `seconds` last; with the
    probability `blunders` it plays a move at random, unless it sees a win at once.
    """

    depth: int
    deepest: int
    seconds: float
    blunders: float


LEVELS = {
    "easy": Level(depth=1, deepest=1, seconds=0.5, blunders=0.35),
    "medium": Level(depth=3, deepest=3, seconds=0.5, blunders=0.05),
    "hard": Level(depth=4, deepest=search.MAX_DEPTH, seconds=0.8, blunders=0.0),
}
"""The levels of the search, weakest first."""

FULL_DEPTH_ON_SMALL_BOARDS = 7
"""At hard, wins within so many plies are found on boards up to 3x3 however long it takes."""


class RandomPlayer:
    """Plays any legal move with equal chances."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game) -> Move:
        return self._random.choice(moves_of(game))


class SearchPlayer:
    """Searches to a depth, then deeper while time lasts, and errs as often as its level does."""

    def __init__(self, level: str | Level = "hard", seed: int | None = None) -> None:
        if isinstance(level, str):
            self.name = level
            self.level = _level_named(level)
        else:
            self.name = f"depth {level.depth}"
            self.level = level
        self._random = random.Random(seed)
        self._memory: search.Memory | None = None

    def choose(self, game: Game) -> Move:
        moves = moves_of(game)
        blunders = self._random.random() < self.level.blunders
        if not blunders:
            return self.think(game).move
        winning = [move for move in moves if _wins_at_once(game, move)]
        return self._random.choice(winning or moves)

    def think(self, game: Game) -> Thought:
        """The best move the level's depth and time find."""
        moves = list(moves_of(game))
        self._random.shuffle(moves)
        memory = self._memory = self._memory or search.Memory()
        memory.clear_stop()
        timer = threading.Timer(self.level.seconds, memory.stop)
        timer.daemon = True
        thought = Thought(moves[0], 0, 0)
        at_least = self._depth_in_any_case(game)
        try:
            for depth in range(1, min(self.level.deepest, search.MAX_DEPTH) + 1):
                if depth == at_least + 1:
                    timer.start()
                found = _search(game, moves, depth, memory)
                if found is None:
                    break
                thought = found
                if abs(thought.score) > search.FORCED or memory.stopped:
                    break
                moves.sort(key=lambda move, best=found.move: move != best)  # type: ignore[misc]
        finally:
            timer.cancel()
        return thought

    def _depth_in_any_case(self, game: Game) -> int:
        if self.level.deepest > FULL_DEPTH_ON_SMALL_BOARDS and game.rules.board <= 3:
            return max(self.level.depth, FULL_DEPTH_ON_SMALL_BOARDS)
        return self.level.depth


def _level_named(name: str) -> Level:
    if name not in LEVELS:
        raise GameError(f"a search has no level {name!r}; its levels are {', '.join(LEVELS)}")
    return LEVELS[name]


def moves_of(game: Game) -> tuple[Move, ...]:
    """The moves to choose from; `GameError` if the game is over."""
    moves = game.legal_moves()
    if not moves:
        raise GameError(f"there is no move to choose: {game.explain()}")
    return moves


def _wins_at_once(game: Game, move: Move) -> bool:
    outcome = game.position.play(move).outcome()
    return outcome is not None and outcome.winner == game.turn


def draws_by_repetition(game: Game, move: Move) -> bool:
    """Whether the move ends the game as a draw by repetition."""
    limit = game.rules.repetition
    if limit == 0:
        return False
    after = game.position.play(move)
    return after.outcome() is None and game.positions.count(after) + 1 >= limit


def _search(game: Game, moves: list[Move], depth: int, memory: search.Memory) -> Thought | None:
    """The best of the moves at this depth; None if the search was stopped before it was done."""
    own, opp = game.position.words
    codes = np.array([code_of_move(game.rules, move) for move in moves], np.int64)
    drawn = np.array([draws_by_repetition(game, move) for move in moves], np.int64)
    scores = np.zeros(len(moves), np.int64)
    best = search.search_root(
        own, opp, game.rules.law, depth, codes, drawn, scores,
        memory.keys, memory.entries, memory.history, memory.moves, memory.control,
    )  # fmt: skip
    return None if best < 0 else Thought(moves[best], int(scores[best]), depth)
