"""Many games at once: arrays in, arrays out, no Python in between.

>>> batch = Batch("gobblers", games=4, seed=1)
>>> batch.legal_action_mask().sum(axis=1)
array([27, 27, 27, 27])
>>> step = batch.step([22, 22, 22, 107])        # 3b2, 3b2, 3b2, and c3 back to c3
>>> step.illegal
array([False, False, False,  True])
>>> batch.observe().shape
(4, 19, 3, 3)
>>> batch.position(0)
Position("x3/x,w3,x/x3 b", rules="gobblers")

An illegal action only sets a flag. What one game does in a step is in `stepping`; `batch_cuda` runs
the same games on a GPU.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestline import kernel
from nestline.action_space import action_count
from nestline.compiled import inlined
from nestline.envs import stepping
from nestline.envs.stepping import Results, State
from nestline.errors import GameError, ShapeError
from nestline.game import Game
from nestline.observations import observation_shape
from nestline.position import Position, Side, move_of_code
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import Law

DEFAULT_PLY_LIMIT = 200
"""The default ply limit, after which a game ends as unfinished."""

LONGEST_PLY_LIMIT = 1_000_000

Array = NDArray[Any]


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


class Functions(NamedTuple):
    """The compiled loops for one rule set; each works on the games from `first` to `stop`."""

    begin: Callable[..., None]
    step: Callable[..., None]
    choose: Callable[..., None]
    play_at_random: Callable[..., None]
    mark_legal: Callable[..., None]
    look: Callable[..., None]


@lru_cache
def functions_for(law: Law, repetition: int) -> Functions:
    """Compile for one rule set: its numbers become constants, which is 1.5 times as fast.

    The arrays are separate arguments, since passing them in tuples makes a call cost four times as
    much.
    """

    @inlined
    def begin(
        first: int, stop: int, where: Array, words: Array, counters: Array, history: Array,
        chance: Array, settings: Array,
    ) -> None:  # fmt: skip
        state = State(words, counters, history, chance, settings)
        for game in range(first, stop):
            if where[game]:
                stepping.begin(game, state)

    @inlined
    def step(
        first: int, stop: int, actions: Array, words: Array, counters: Array, history: Array,
        chance: Array, settings: Array, rewards: Array, flags: Array, ends: Array, tally: Array,
    ) -> None:  # fmt: skip
        state = State(words, counters, history, chance, settings)
        results = Results(rewards, flags, ends, tally)
        for game in range(first, stop):
            stepping.step(game, actions[game], law, repetition, state, results)

    @inlined
    def choose(
        first: int, stop: int, actions: Array, words: Array, counters: Array, history: Array,
        chance: Array, settings: Array,
    ) -> None:  # fmt: skip
        state = State(words, counters, history, chance, settings)
        for game in range(first, stop):
            stepping.choose(game, law, state, actions)

    @inlined
    def play_at_random(
        first: int, stop: int, steps: int, words: Array, counters: Array, history: Array,
        chance: Array, settings: Array, rewards: Array, flags: Array, ends: Array, tally: Array,
    ) -> None:  # fmt: skip
        state = State(words, counters, history, chance, settings)
        results = Results(rewards, flags, ends, tally)
        for game in range(first, stop):
            stepping.play_at_random(game, steps, law, repetition, state, results)

    @inlined
    def mark_legal(
        first: int, stop: int, masks: Array, words: Array, counters: Array, history: Array,
        chance: Array, settings: Array,
    ) -> None:  # fmt: skip
        state = State(words, counters, history, chance, settings)
        for game in range(first, stop):
            stepping.mark_legal(game, law, state, masks)

    @inlined
    def look(
        first: int, stop: int, hide_covered: int, planes: Array, words: Array, counters: Array,
        history: Array, chance: Array, settings: Array,
    ) -> None:  # fmt: skip
        state = State(words, counters, history, chance, settings)
        for game in range(first, stop):
            stepping.look(game, law, hide_covered, state, planes)

    return Functions(begin, step, choose, play_at_random, mark_legal, look)


def seeded_chance(seed: int | None, games: int) -> NDArray[np.int64]:
    """The games' random number generators; a seed gives the same ones on every device."""
    limits = np.iinfo(np.int64)
    chance = np.random.default_rng(seed).integers(limits.min, limits.max, games, endpoint=True)
    return chance.astype(np.int64, copy=False)


class BatchBase(ABC):
    """What batches on every device share: options, and access to single games."""

    state: State

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        games: int = 1,
        *,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        start: Position | None = None,
        auto_reset: bool = True,
        hide_covered: bool = False,
    ) -> None:
        self.rules = load_rules(rules)
        self.games = whole_number("a batch has", "games", games, 2**31 - 1)
        self.ply_limit = whole_number("a limit has", "plies", ply_limit, LONGEST_PLY_LIMIT)
        self.start = start or Position.start(self.rules)
        if self.start.rules != self.rules:
            raise GameError(f"a batch of {self.rules.name} cannot start from a position of "
                            f"{self.start.rules.name}")  # fmt: skip
        if outcome := self.start.outcome():
            raise GameError(f"a batch cannot start from a position that is over, {outcome}")
        self.auto_reset = bool(auto_reset)
        self.hide_covered = bool(hide_covered)
        self.actions = action_count(self.rules)
        self.observation_shape = observation_shape(self.rules)

    @property
    def _slots(self) -> int:
        return self.ply_limit + 1 if self.rules.repetition else 0

    def _settings(self) -> NDArray[np.int64]:
        own, opp = self.start.words
        return np.array([self.ply_limit, self.auto_reset, own, opp, self.start.turn], np.int64)

    def _planes(self) -> int:
        planes, rows, columns = self.observation_shape
        return planes * rows * columns

    @abstractmethod
    def _column(self, index: int) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        """The bit boards, counters and history of a game."""

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


class Batch(BatchBase):
    """Games of one rule set, side by side; see the module's example.

    With `auto_reset` a finished game restarts in the same step. `hide_covered` hides the
    opponent's covered pieces in observations. `threads` share the games; one is enough for small
    batches.
    """

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        games: int = 1,
        *,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        start: Position | None = None,
        auto_reset: bool = True,
        hide_covered: bool = False,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        super().__init__(
            rules, games, ply_limit=ply_limit, start=start, auto_reset=auto_reset,
            hide_covered=hide_covered,
        )  # fmt: skip
        self.threads = whole_number("a batch takes", "threads", threads, 256)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._ranges = [
            (self.games * part // self.threads, self.games * (part + 1) // self.threads)
            for part in range(self.threads)
        ]
        self._functions = functions_for(self.rules.law, self.rules.repetition)
        self.state = State(
            words=np.zeros((2, self.games), np.int64),
            counters=np.zeros((stepping.COUNTERS, self.games), np.int32),
            history=np.empty((2, self._slots, self.games), np.int64),
            chance=seeded_chance(seed, self.games),
            settings=self._settings(),
        )
        self.reset()

    def _run(self, function: Callable[..., None], *arguments: Any) -> None:
        if self._pool is None:
            function(0, self.games, *arguments)
            return
        for running in [
            self._pool.submit(function, first, stop, *arguments) for first, stop in self._ranges
        ]:
            running.result()

    def reset(self, where: ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Restart all games, or those marked in `where`, a bool array of shape (games,).

        A seed also reseeds the random number generators of all games.
        """
        marks = np.ones(self.games, np.bool_) if where is None else np.asarray(where)
        if marks.dtype != np.bool_ or marks.shape != (self.games,):
            raise ShapeError(
                f"games to reset are marked in a bool array of shape ({self.games},), "
                f"not {marks.dtype} of shape {marks.shape}"
            )
        if seed is not None:
            self.state.chance[:] = seeded_chance(seed, self.games)
        self._run(self._functions.begin, np.ascontiguousarray(marks), *self.state)

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in every game; illegal ones are flagged and change nothing.

        `actions` are integers of shape (games,). A finished game does not change.
        """
        checked = checked_actions(actions, self.games)
        results = self._results()
        self._run(self._functions.step, checked, *self.state, *results)
        return _step_of(results)

    def legal_action_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which actions are legal, as a bool array of shape (games, actions).

        `out` is an array to write into instead of a new one.
        """
        shape = (self.games, self.actions)
        masks: NDArray[np.bool_] = checked_room(out, shape, np.bool_, "masks")
        self._run(self._functions.mark_legal, masks, *self.state)
        return masks

    def observe(
        self, out: NDArray[np.int8] | None = None, *, sides: ArrayLike | None = None
    ) -> NDArray[np.int8]:
        """What the players to move see, as an int8 array of shape (games, planes, board, board).

        `out` is an array to write into instead of a new one; `sides`, integers of shape (games,),
        chooses the observer in each game (0 the first player, 1 the second) instead of the player
        to move.
        """
        shape = (self.games, *self.observation_shape)
        planes: NDArray[np.int8] = checked_room(out, shape, np.int8, "observations")
        rows = planes.reshape(self.games, self._planes())
        state = self.state
        if sides is not None:
            others = checked_actions(sides, self.games, "sides") != state.counters[stepping.TURN]
            state = state._replace(words=np.where(others, state.words[::-1], state.words))
        self._run(self._functions.look, int(self.hide_covered), rows, *state)
        return planes

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game; 0 for finished ones."""
        actions = np.empty(self.games, np.int64)
        self._run(self._functions.choose, actions, *self.state)
        return actions

    def random_steps(self, steps: int = 1) -> Tally:
        """Play this many random moves in every game, and count the games that ended.

        Without auto-reset a game stops at its end: `random_steps(ply_limit)` is a random playout
        of every game.
        """
        steps = whole_number("a run has", "steps", steps, 2**31 - 1)
        results = self._results(np.empty((stepping.TALLIES, self.games), np.int32))
        self._run(self._functions.play_at_random, steps, *self.state, *results)
        return tally_of(results.tally.sum(axis=1, dtype=np.int64).tolist())

    def _results(self, tally: NDArray[np.int32] | None = None) -> Results:
        return Results(
            rewards=np.empty(self.games, np.float32),
            flags=np.empty((stepping.FLAGS, self.games), np.bool_),
            ends=np.empty(self.games, np.uint8),
            tally=_NO_TALLY if tally is None else tally,
        )

    @property
    def turns(self) -> NDArray[np.int32]:
        """Whose turn it is, 0 the first player's, 1 the second's."""
        return self._row(stepping.TURN)

    @property
    def plies(self) -> NDArray[np.int32]:
        """How many plies have been played in each game."""
        return self._row(stepping.PLY)

    @property
    def occurrences(self) -> NDArray[np.int32]:
        """How often each game's position has occurred, this time included."""
        return self._row(stepping.OCCURRENCES)

    @property
    def ends(self) -> NDArray[np.int32]:
        """The states of the games, indices into `END_REASONS`; 0 while a game goes on."""
        return self._row(stepping.END)

    def _row(self, number: int) -> NDArray[np.int32]:
        row: NDArray[np.int32] = self.state.counters[number].copy()
        return row

    def _column(self, index: int) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        counters: list[int] = self.state.counters[:, index].tolist()
        words: list[int] = self.state.words[:, index].tolist()
        kept = counters[stepping.SINCE] + 1 if self._slots else 0
        return (
            words,
            counters,
            list(zip(*self.state.history[:, :kept, index].tolist(), strict=True)),
        )


_NO_TALLY = np.empty((stepping.TALLIES, 0), np.int32)


def _step_of(results: Results) -> Step:
    terminated, truncated, illegal = results.flags
    return Step(results.rewards, terminated, truncated, illegal, results.ends)


def tally_of(counts: list[int]) -> Tally:
    """The number of games by result, from the sums of the tallies' rows."""
    first_won, second_won, drawn = counts
    return Tally(first_won + second_won + drawn, first_won, second_won, drawn)
