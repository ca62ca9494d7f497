"""What batches on every device share: options, checks of arguments, access to single games."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestline import kernel
from nestline.action_space import action_count
from nestline.envs.batch import stepping
from nestline.envs.batch.stepping import State
from nestline.errors import GameError, PositionError, ShapeError
from nestline.game import Game
from nestline.observations import observation_shape
from nestline.position import Position, Side, move_of_code
from nestline.rules import RuleSet, load_rules

DEFAULT_PLY_LIMIT = 200
"""The default ply limit, after which a game ends as unfinished."""

LONGEST_PLY_LIMIT = 1_000_000
MOST_GAMES = 2**31 - 1

Start = Position | str | Sequence[Position | str]
"""One position for all games, or one for each."""


class Step(NamedTuple):
    """What a step did; arrays of shape (games,)."""

    rewards: Any
    """float32, for the player who moved: 1 a win, -1 a loss, 0 anything else."""
    terminated: Any
    """bool: the game is over by the rules."""
    truncated: Any
    """bool: the ply limit stopped the game."""
    illegal: Any
    """bool: the action was illegal and the game is unchanged."""
    ends: Any
    """uint8: the state of the game, an index into `END_REASONS`."""


class Tally(NamedTuple):
    """The results of the games that ended during a run of random steps."""

    games: int
    first_won: int
    second_won: int
    drawn: int
    """Unfinished ones included."""


def tally_of(counts: list[int]) -> Tally:
    """The number of games by result, from the sums of the tallies' rows."""
    first_won, second_won, drawn = counts
    return Tally(first_won + second_won + drawn, first_won, second_won, drawn)


def seeded_chance(seed: int | None, games: int) -> NDArray[np.int64]:
    """The games' random number generators; a seed gives the same ones on every device."""
    limits = np.iinfo(np.int64)
    chance = np.random.default_rng(seed).integers(limits.min, limits.max, games, endpoint=True)
    return chance.astype(np.int64, copy=False)


class BatchBase(ABC):
    """Games of one rule set, wherever their arrays are."""

    state: State

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        games: int = 1,
        *,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        start: Start | None = None,
        auto_reset: bool = True,
        hide_covered: bool = False,
    ) -> None:
        self.rules = load_rules(rules)
        self.games = whole_number("a batch has", "games", games, MOST_GAMES)
        self.ply_limit = whole_number("a limit has", "plies", ply_limit, LONGEST_PLY_LIMIT)
        self.auto_reset = bool(auto_reset)
        self.hide_covered = bool(hide_covered)
        self.actions = action_count(self.rules)
        self.observation_shape = observation_shape(self.rules)

    def _words_of_starts(self, start: Start | None) -> NDArray[np.int64]:
        """The rows of the starts, of shape (STARTS, games)."""
        if start is None:
            return np.zeros((stepping.STARTS, self.games), np.int64)
        alone = isinstance(start, (Position, str))
        positions = [start] if alone else list(start)  # type: ignore[arg-type]
        found = self._words_of(positions)  # type: ignore[arg-type]
        for position in positions:
            if outcome := self._read(position).outcome():  # type: ignore[arg-type]
                raise GameError(f"a batch cannot start from a position that is over, {outcome}")
        if alone:
            return np.repeat(found, self.games, axis=1)
        if len(positions) != self.games:
            raise ShapeError(
                f"{len(positions)} starts do not fit {self.games} games; give one, or one for each"
            )
        return found

    def _read(self, position: Position | str) -> Position:
        found = Position(position, self.rules) if isinstance(position, str) else position
        if found.rules != self.rules:
            raise GameError(f"a batch of {self.rules.name} cannot start from a position of "
                            f"{found.rules.name}")  # fmt: skip
        return found

    def _words_of(self, positions: Sequence[Position | str]) -> NDArray[np.int64]:
        """Positions as an array (STARTS, n): the mover's words, the other's, the turn."""
        read = [self._read(position) for position in positions]
        rows = [(*position.words, int(position.turn)) for position in read]
        return np.array(rows, np.int64).reshape(-1, stepping.STARTS).T.copy()

    @property
    def _slots(self) -> int:
        return self.ply_limit + 1 if self.rules.repetition else 0

    def _settings(self) -> NDArray[np.int64]:
        return np.array([self.ply_limit, self.auto_reset, self.hide_covered], np.int64)

    def _planes(self) -> int:
        planes, rows, columns = self.observation_shape
        return planes * rows * columns

    @abstractmethod
    def _put(self, numbers: NDArray[np.int64], given: NDArray[np.int64]) -> None:
        """Set the games of these numbers to positions in an array (STARTS, n)."""

    @abstractmethod
    def _column(self, index: int) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        """The bitboards, counters and history of a game."""

    @abstractmethod
    def _room_for(self, games: int) -> State:
        """New arrays for so many games of the same kind."""

    def _twin(self, state: State) -> Self:
        """A batch with the same options and other games."""
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        twin.games = state.words.shape[1]
        twin.state = state
        return twin

    @abstractmethod
    def gather(self, indices: Any, *, seed: int | None = None) -> Self:
        """A new batch whose game i is a copy of game `indices[i]`, with its history and start.

        A copy continues with the random numbers of the game it comes from, unless a seed is given.
        """

    def copy(self) -> Self:
        """An independent copy of all games as they stand."""
        return self.gather(np.arange(self.games))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def set_positions(
        self, positions: Sequence[Position | str], where: ArrayLike | None = None
    ) -> None:
        """Continue all games, or those marked in `where`, from these positions, in order.

        They get a new history, and ply 0; where they restart does not change. A position that is
        over makes a finished game.
        """
        self._place(self._words_of(positions), where)

    def set_words(
        self, owns: ArrayLike, opps: ArrayLike, turns: ArrayLike, where: ArrayLike | None = None
    ) -> None:
        """`set_positions` with arrays of the kernel's words, of the player to move and of the
        other, and whose turn it is; such words are in `state.words`, and come from
        `nestline.observations.words_of`."""
        given = [np.asarray(values) for values in (owns, opps, turns)]
        shapes = {array.shape for array in given}
        if len(shapes) != 1 or given[0].ndim != 1 or any(a.dtype.kind not in "iu" for a in given):
            told = ", ".join(f"{array.dtype} of shape {array.shape}" for array in given)
            raise ShapeError(f"words and turns are three arrays of integers (n,), not {told}")
        rows = np.stack([array.astype(np.int64) for array in given])
        check_words(rows, self.rules)
        self._place(rows, where)

    def _place(self, given: NDArray[np.int64], where: ArrayLike | None) -> None:
        marks = checked_marks(where, self.games)
        numbers = np.flatnonzero(marks)
        if given.shape[1] != len(numbers):
            raise ShapeError(f"{given.shape[1]} positions do not fit {len(numbers)} games")
        self._put(numbers, given)

    def _index(self, index: int) -> int:
        if not 0 <= index < self.games:
            raise GameError(f"there is no game {index}; the batch has games 0 to {self.games - 1}")
        return index

    def position(self, index: int) -> Position:
        """The position of one game."""
        words, counters, _ = self._column(self._index(index))
        return self._position_of(words[0], words[1], counters[stepping.TURN])

    def game(self, index: int) -> Game:
        """One unfinished game as a `Game` that continues in the same way.

        If the rules have draws by repetition it starts at the last placement, since no earlier
        position can recur; otherwise at the current position.
        """
        words, counters, history = self._column(self._index(index))
        turn, played = counters[stepping.TURN], max(0, len(history) - 1)
        own, opp = history[0] if history else (words[0], words[1])
        begun = turn if played % 2 == 0 else 1 - turn
        left = self.ply_limit - counters[stepping.PLY] + played
        game = Game(
            start=self._position_of(own, opp, begun),
            visibility="open",
            touch_move=False,
            ply_limit=max(1, left),
        )
        for (own, opp), (_, after) in pairwise(history):
            game.play(move_of_code(self.rules.board, _code_between(own, opp, after, self.rules)))
        return game

    def _position_of(self, own: int, opp: int, turn: int) -> Position:
        first, second = (opp, own) if turn else (own, opp)
        return Position.from_words(first, second, Side(turn), self.rules)


def _code_between(own: int, opp: int, after: int, rules: RuleSet) -> int:
    """The board move that makes the mover's word `own` into `after`."""
    moves = np.empty(kernel.MAX_MOVES, np.int64)
    count = kernel.legal_moves(own, opp, rules.law, moves)
    codes: list[int] = moves[:count].tolist()
    return next(code for code in codes if kernel.play(own, code) == after)


def check_words(given: NDArray[np.int64], rules: RuleSet) -> None:
    """Refuse rows of words and turns (STARTS, n) that are not positions of a rule set."""
    owns, opps, turns = given
    sizes = range(rules.sizes)
    board = sum(rules.law.all_squares << (kernel.LAYER_BITS * size) for size in sizes)
    # The kernel's words are signed.
    outside = np.uint64(~board & (2**64 - 1)).astype(np.int64)
    bad = ((owns | opps) & outside != 0) | (owns & opps != 0) | (turns & 1 != turns)
    for word in (owns, opps):
        placed = [_count(word >> kernel.LAYER_BITS * size & kernel.LAYER) for size in sizes]
        left = [stock - count for stock, count in zip(rules.stock, placed, strict=True)]
        for size in sizes:
            is_inner = rules.reserve == "nested" and size + 1 in sizes
            bad |= left[size] < (left[size + 1] if is_inner else 0)
    if not rules.moving:
        bad |= _count(opps) - _count(owns) != turns
    if bad.any():
        place = int(bad.argmax())
        found = f"{owns[place]}, {opps[place]}, {turns[place]}"
        raise PositionError(
            f"the words and the turn at index {place} are no position of {rules.name}: {found}"
        )


def _count(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of bits set, as numbers that can be subtracted."""
    return np.bitwise_count(words.view(np.uint64)).astype(np.int64)


def whole_number(what: str, of: str, value: Any, most: int) -> int:
    """Check for a number from 1 to `most`; anything else is a `GameError`."""
    if not isinstance(value, (int, np.integer)) or not 1 <= value <= most:
        raise GameError(f"{what} 1 to {most:,} {of}, not {value!r}")
    return int(value)


def checked_actions(actions: Any, games: int, what: str = "actions") -> NDArray[np.int64]:
    """Actions as an array for the compiled step; `ShapeError` if they do not fit."""
    found = np.asarray(actions)
    if found.dtype.kind not in "iu" or found.shape != (games,):
        raise ShapeError(
            f"{what} are whole numbers in an array of shape ({games},), "
            f"not {found.dtype} of shape {found.shape}"
        )
    return np.ascontiguousarray(found, np.int64)


def checked_marks(where: Any, games: int) -> NDArray[np.bool_]:
    """Marks of games for the compiled loops, all if `where` is None; `ShapeError` if wrong."""
    marks = np.ones(games, np.bool_) if where is None else np.asarray(where)
    if marks.dtype != np.bool_ or marks.shape != (games,):
        raise ShapeError(
            f"games are marked in a bool array of shape ({games},), "
            f"not {marks.dtype} of shape {marks.shape}"
        )
    return np.ascontiguousarray(marks)


def checked_indices(indices: Any, games: int) -> NDArray[np.int64]:
    """Numbers of games, in an array of any length from 1; refused if there is no such game."""
    found = np.asarray(indices)
    if found.dtype.kind not in "iu" or found.ndim != 1 or not len(found):
        raise ShapeError(
            "games to gather are numbered by an array of integers (n,), n at least 1, "
            f"not {found.dtype} of shape {found.shape}"
        )
    wrong = (found < 0) | (found >= games)
    if wrong.any():
        number = found[wrong.argmax()]
        raise GameError(f"there is no game {number}; the batch has games 0 to {games - 1}")
    return np.ascontiguousarray(found, np.int64)


def checked_room(out: Any, shape: tuple[int, ...], kind: type, what: str) -> Any:
    """The array to write into: the caller's, if it fits, or a new one."""
    if out is None:
        return np.empty(shape, kind)
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == kind
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        found = f"{out.dtype} of shape {out.shape}" if hasattr(out, "dtype") else repr(out)
        raise ShapeError(
            f"{what} are written into a contiguous {np.dtype(kind)} array of shape {shape}, "
            f"not {found}"
        )
    return out
