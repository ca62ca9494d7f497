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
>>> tries = batch.gather([0] * 100, seed=1)     # the first game, continued in a hundred ways
>>> tries.games
100

An illegal action only sets a flag. What one game does in a step is in `stepping`; `cuda` runs
the same games on a GPU.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestline.envs.batch import stepping
from nestline.envs.batch.base import (
    DEFAULT_PLY_LIMIT,
    BatchBase,
    Start,
    Step,
    Tally,
    checked_actions,
    checked_indices,
    checked_marks,
    checked_room,
    seeded_chance,
    tally_of,
    whole_number,
)
from nestline.envs.batch.loops import functions_for
from nestline.envs.batch.stepping import Results, State
from nestline.errors import GameError
from nestline.rules import RuleSet


@lru_cache
def _thread_pool(threads: int, process: int) -> ThreadPoolExecutor:
    """The threads that all batches share; a forked process has none of its parent's."""
    return ThreadPoolExecutor(threads)


class Batch(BatchBase):
    """Games of one rule set, side by side.

    With `auto_reset` a finished game restarts in the same step. `start` is one position for all
    games or one for each. `hide_covered` hides the opponent's covered pieces in observations.
    `threads` share the games; one is enough for small batches.
    """

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        games: int = 1,
        *,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        start: Start | None = None,
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
        self._functions = functions_for(self.rules.law, self.rules.repetition)
        self.state = self._room_for(self.games)._replace(starts=self._words_of_starts(start))
        self.state.chance[:] = seeded_chance(seed, self.games)
        self.reset()

    def _room_for(self, games: int) -> State:
        return State(
            words=np.empty((2, games), np.int64),
            counters=np.empty((stepping.COUNTERS, games), np.int32),
            history=np.empty((2, self._slots, games), np.int64),
            chance=np.empty(games, np.int64),
            starts=np.empty((stepping.STARTS, games), np.int64),
            settings=self._settings(),
        )

    def __getstate__(self) -> dict[str, Any]:
        # Compiled functions are looked up again rather than pickled.
        return {name: value for name, value in vars(self).items() if name != "_functions"}

    def __setstate__(self, found: dict[str, Any]) -> None:
        vars(self).update(found)
        self._functions = functions_for(self.rules.law, self.rules.repetition)

    def in_threads(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call a compiled loop over a range of games; the threads share the games."""
        if self.threads == 1:
            function(0, self.games, *arguments)
            return
        pool = _thread_pool(self.threads, os.getpid())
        edges = [self.games * part // self.threads for part in range(self.threads + 1)]
        for running in [
            pool.submit(function, first, stop, *arguments) for first, stop in pairwise(edges)
        ]:
            running.result()

    def reset(self, where: ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Restart all games, or those marked in `where`, a bool array of shape (games,).

        A seed also reseeds the random number generators of all games.
        """
        marks = checked_marks(where, self.games)
        if seed is not None:
            self.state.chance[:] = seeded_chance(seed, self.games)
        self.in_threads(self._functions.begin, marks, *self.state)

    def gather(self, indices: ArrayLike, *, seed: int | None = None) -> Self:
        sources = checked_indices(indices, self.games)
        twin = self._twin(self._room_for(len(sources)))
        twin.in_threads(self._functions.take, sources, *self.state, *twin.state)
        if seed is not None:
            twin.state.chance[:] = seeded_chance(seed, twin.games)
        return twin

    def _put(self, numbers: NDArray[np.int64], given: NDArray[np.int64]) -> None:
        self._functions.put(0, len(numbers), numbers, given, *self.state)

    def step(
        self, actions: ArrayLike, where: ArrayLike | None = None, *,
        final_observations: NDArray[np.int8] | None = None,
    ) -> Step:  # fmt: skip
        """Play an action in every game; illegal ones are flagged and change nothing.

        `actions` are integers of shape (games,). A finished game does not change, and neither do
        games that are not marked in `where`, a bool array of shape (games,). `final_observations`
        is an array like that of `observe`; the games that end write into it what the player who
        would have moved sees, before they restart. The rows of the others are left as they are.
        """
        checked = checked_actions(actions, self.games)
        marks = None if where is None else checked_marks(where, self.games)
        if marks is not None:
            checked = np.where(marks, checked, _NO_ACTION)
        results = self._results(finals=final_observations)
        self.in_threads(self._functions.step, checked, *self.state, *results)
        terminated, truncated, illegal = results.flags
        if marks is not None:
            illegal &= marks
        return Step(results.rewards, terminated, truncated, illegal, results.ends)

    def legal_action_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which actions are legal, as a bool array of shape (games, actions).

        `out` is an array to write into instead of a new one.
        """
        shape = (self.games, self.actions)
        masks: NDArray[np.bool_] = checked_room(out, shape, np.bool_, "masks")
        self.in_threads(self._functions.mark_legal, masks, *self.state)
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
        seers = self.state.counters[stepping.TURN]
        if sides is not None:
            chosen = checked_actions(sides, self.games, "sides")
            if (chosen & 1 != chosen).any():
                raise GameError("sides are 0, the first player, and 1, the second")
            seers = chosen.astype(np.int32)
        rows = planes.reshape(self.games, self._planes())
        self.in_threads(self._functions.look, seers, rows, *self.state)
        return planes

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game; 0 for finished ones."""
        actions = np.empty(self.games, np.int64)
        self.in_threads(self._functions.choose, actions, *self.state)
        return actions

    def random_steps(self, steps: int = 1) -> Tally:
        """Play this many random moves in every game, and count the games that ended.

        Without auto-reset a game stops at its end: `random_steps(ply_limit)` is a random playout
        of every game.
        """
        steps = whole_number("a run has", "steps", steps, 2**31 - 1)
        results = self._results(tally=np.empty((stepping.TALLIES, self.games), np.int32))
        self.in_threads(self._functions.play_at_random, steps, *self.state, *results)
        return tally_of(results.tally.sum(axis=1, dtype=np.int64).tolist())

    def _results(
        self, *, tally: NDArray[np.int32] | None = None, finals: NDArray[np.int8] | None = None
    ) -> Results:
        if finals is not None:
            shape = (self.games, *self.observation_shape)
            finals = checked_room(finals, shape, np.int8, "final observations")
        return Results(
            rewards=np.empty(self.games, np.float32),
            flags=np.empty((stepping.FLAGS, self.games), np.bool_),
            ends=np.empty(self.games, np.uint8),
            tally=_NO_TALLY if tally is None else tally,
            finals=_NO_FINALS if finals is None else finals.reshape(self.games, self._planes()),
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

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """What finished games are worth to the player to move: 1 a win, -1 a loss, 0 a draw.

        0 while a game goes on, as `ends` tells; so with auto-reset it is always 0.
        """
        found = np.empty(self.games, np.int8)
        self.in_threads(self._functions.judge, found, *self.state)
        return found

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


_NO_ACTION = -1
_NO_TALLY = np.empty((stepping.TALLIES, 0), np.int32)
_NO_FINALS = np.empty((0, 0), np.int8)
