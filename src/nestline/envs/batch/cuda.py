"""The batch on an NVIDIA GPU: one thread per game, arrays that never leave the device.

`CudaBatch` takes and returns device arrays. They have `__cuda_array_interface__`, so PyTorch and
CuPy share them without copying, and it accepts theirs the same way:

    batch = CudaBatch("gobblers", games=1_000_000, seed=1)
    planes = torch.as_tensor(batch.observe(), device="cuda")
    masks = torch.as_tensor(batch.legal_action_mask(), device="cuda")
    step = batch.step(policy(planes, masks).argmax(dim=1))     # integers, shape (games,)

The games run through the same functions as in `cpu`, so both give identical results.
"""

from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from nestline.envs.batch import stepping
from nestline.envs.batch.base import (
    DEFAULT_PLY_LIMIT,
    BatchBase,
    Start,
    Step,
    Tally,
    checked_indices,
    seeded_chance,
    tally_of,
    whole_number,
)
from nestline.envs.batch.loops import Functions
from nestline.envs.batch.stepping import (
    COUNTERS,
    FLAGS,
    ILLEGAL,
    SINCE,
    STARTS,
    TALLIES,
    Results,
    State,
)
from nestline.errors import GameError, ShapeError
from nestline.gpu import Gpu, cuda
from nestline.rules import RuleSet
from nestline.rules.law import Law

THREADS = 128
"""Threads per block; the games need many registers."""


class Held(NamedTuple):
    """An array in a tuple, the only form in which the simulator passes it on unchanged."""

    array: Any


@lru_cache
def kernels_for(law: Law, repetition: int) -> Functions:
    """The kernels for one rule set, whose numbers become constants; one thread per game."""

    @cuda.jit
    def begin(games, where, state):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games and where.array[game]:
            stepping.begin(game, state)

    @cuda.jit
    def put(count, numbers, given, state):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        if place < count:
            own, opp, turn = given.array[0, place], given.array[1, place], given.array[2, place]
            stepping.put(numbers.array[place], own, opp, turn, law, state)

    @cuda.jit
    def take(games, sources, there, state):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.take(game, sources.array[game], there, state)

    @cuda.jit
    def step(games, chosen, where, state, results):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            action = int(chosen.array[game]) if where.array[game] else -1
            stepping.step(game, action, law, repetition, state, results)
            if not where.array[game]:
                results.flags[ILLEGAL, game] = False

    @cuda.jit
    def choose(games, chosen, state):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.choose(game, law, state, chosen.array)

    @cuda.jit
    def play_at_random(games, steps, state, results, sums):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.play_at_random(game, steps, law, repetition, state, results)
            for row in range(TALLIES):
                if results.tally[row, game]:
                    cuda.atomic.add(sums, row, results.tally[row, game])

    @cuda.jit
    def mark_legal(games, state, seen):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.mark_legal(game, law, state, seen.array)

    @cuda.jit
    def look(games, sides, state, seen):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.look(game, sides.array[game], law, state, seen.array)

    @cuda.jit
    def judge(games, outcomes, state):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            outcomes.array[game] = stepping.worth(game, state)

    return Functions(begin, put, take, step, choose, play_at_random, mark_legal, look, judge)


@lru_cache
def _picking_kernel() -> Any:
    @cuda.jit
    def pick(index, state, column):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        slots = state.history.shape[1]
        if place < 2:
            column[place] = state.words[place, index]
        elif place < 2 + COUNTERS:
            column[place] = state.counters[place - 2, index]
        elif place < 2 + COUNTERS + 2 * slots:
            at = place - 2 - COUNTERS
            column[place] = state.history[at // slots, at % slots, index]

    return pick


class CudaBatch(BatchBase):
    """Games of one rule set on the GPU.

    The options are those of `Batch`. Returned arrays are on the device; `turns`, `plies`,
    `occurrences` and `ends` are views of the games, which change with them.
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
    ) -> None:
        super().__init__(
            rules, games, ply_limit=ply_limit, start=start, auto_reset=auto_reset,
            hide_covered=hide_covered,
        )  # fmt: skip
        self._gpu = Gpu("a batch on the GPU", GameError, THREADS)
        self._kernels = kernels_for(self.rules.law, self.rules.repetition)
        self._all_marked = self._gpu.array(0, np.bool_)
        self.state = self._room_for(self.games)._replace(
            chance=self._gpu.copy_to(seeded_chance(seed, self.games)),
            starts=self._gpu.copy_to(self._words_of_starts(start)),
        )
        self.reset()

    def _room_for(self, games: int) -> State:
        return State(
            words=self._gpu.array((2, games), np.int64),
            counters=self._gpu.array((COUNTERS, games), np.int32),
            history=self._gpu.array((2, self._slots, games), np.int64),
            chance=self._gpu.array(games, np.int64),
            starts=self._gpu.array((STARTS, games), np.int64),
            settings=self._gpu.copy_to(self._settings()),
        )

    def __getstate__(self) -> dict[str, Any]:
        # The arrays travel through host memory; kernels are looked up again.
        arrays = State(*(self._gpu.copy_back(array) for array in self.state))
        kept = {name: value for name, value in vars(self).items() if name != "_kernels"}
        return {**kept, "state": arrays, "_all_marked": np.empty(0, np.bool_)}

    def __setstate__(self, found: dict[str, Any]) -> None:
        vars(self).update(found)
        self._kernels = kernels_for(self.rules.law, self.rules.repetition)
        self.state = State(*(self._gpu.copy_to(array) for array in self.state))

    def _run(self, kernel: Any, *arguments: Any) -> None:
        self._gpu.launch(kernel, self.games, self.games, *arguments)

    def _taken(self, values: Any, kinds: str, what: str) -> Held:
        """The caller's array of shape (games,), wherever it is, as a device array."""
        if self._gpu.is_simulated or not hasattr(values, "__cuda_array_interface__"):
            found = np.asarray(values)
        else:
            found = cuda.as_cuda_array(values)
        if found.dtype.kind not in kinds or found.shape != (self.games,):
            raise ShapeError(
                f"{what} in an array of shape ({self.games},), "
                f"not {found.dtype} of shape {found.shape}"
            )
        return Held(self._gpu.copy_to(found) if isinstance(found, np.ndarray) else found)

    def _marks(self, where: Any) -> Held:
        if where is not None:
            return self._taken(where, "b", "games are marked with bools")
        if self._all_marked.shape != (self.games,):
            self._all_marked = self._gpu.copy_to(np.ones(self.games, np.bool_))
        return Held(self._all_marked)

    def _room(self, out: Any, shape: tuple[int, ...], kind: type, what: str) -> Any:
        """The array to write into: the caller's, if it fits, or a new one."""
        if out is None:
            return self._gpu.array(shape, kind)
        if hasattr(out, "__cuda_array_interface__") and not self._gpu.is_simulated:
            out = cuda.as_cuda_array(out)
        fits = hasattr(out, "dtype") and out.shape == shape and out.dtype == kind
        if not fits or not (self._gpu.is_simulated or out.is_c_contiguous()):
            found = f"{out.dtype} of shape {out.shape}" if hasattr(out, "dtype") else repr(out)
            raise ShapeError(
                f"{what} are written into a contiguous {np.dtype(kind)} array on the card "
                f"of shape {shape}, not {found}"
            )
        return out

    def reset(self, where: Any = None, *, seed: int | None = None) -> None:
        """Restart all games, or those marked in `where`, a bool array of shape (games,).

        A seed also reseeds the random number generators of all games.
        """
        held = self._marks(where)
        if seed is not None:
            chance = self._gpu.copy_to(seeded_chance(seed, self.games))
            self.state = self.state._replace(chance=chance)
        self._run(self._kernels.begin, held, self.state)

    def gather(self, indices: Any, *, seed: int | None = None) -> Self:
        on_device = hasattr(indices, "__cuda_array_interface__") and not self._gpu.is_simulated
        there = cuda.as_cuda_array(indices).copy_to_host() if on_device else indices
        sources = checked_indices(there, self.games)
        twin = self._twin(self._room_for(len(sources)))
        twin._run(self._kernels.take, Held(self._gpu.copy_to(sources)), self.state, twin.state)
        if seed is not None:
            chance = self._gpu.copy_to(seeded_chance(seed, twin.games))
            twin.state = twin.state._replace(chance=chance)
        return twin

    def _put(self, numbers: Any, given: Any) -> None:
        held = (Held(self._gpu.copy_to(numbers)), Held(self._gpu.copy_to(given)))
        self._gpu.launch(self._kernels.put, len(numbers), len(numbers), *held, self.state)

    def step(self, actions: Any, where: Any = None, *, final_observations: Any = None) -> Step:
        """Play an action in every game; illegal ones are flagged and change nothing.

        As in `Batch`; arrays are best on the device.
        """
        held = self._taken(actions, "iu", "actions are whole numbers")
        marks = self._marks(where)
        results = self._results(finals=final_observations)
        self._run(self._kernels.step, held, marks, self.state, results)
        terminated, truncated, illegal = (results.flags[row] for row in range(FLAGS))
        return Step(results.rewards, terminated, truncated, illegal, results.ends)

    def legal_action_mask(self, out: Any = None) -> Any:
        """Which actions are legal, as a bool array of shape (games, actions)."""
        masks = self._room(out, (self.games, self.actions), np.bool_, "masks")
        self._run(self._kernels.mark_legal, self.state, Held(masks))
        return masks

    def observe(self, out: Any = None, *, sides: Any = None) -> Any:
        """What the players to move see, as an int8 array of shape (games, planes, board, board).

        `sides`, integers 0 and 1 of shape (games,), chooses the observer in each game instead.
        """
        seers = Held(self.turns)
        if sides is not None:
            seers = self._taken(sides, "iu", "sides are whole numbers")
        planes = self._room(out, (self.games, *self.observation_shape), np.int8, "observations")
        rows = Held(planes.reshape(self.games, self._planes()))
        self._run(self._kernels.look, seers, self.state, rows)
        return planes

    def random_actions(self) -> Any:
        """A random legal action for every game; 0 for finished ones."""
        actions = self._gpu.array(self.games, np.int64)
        self._run(self._kernels.choose, Held(actions), self.state)
        return actions

    def random_steps(self, steps: int = 1) -> Tally:
        """Play this many random moves in every game, and count the games that ended."""
        steps = whole_number("a run has", "steps", steps, 2**31 - 1)
        sums = self._gpu.copy_to(np.zeros(TALLIES, np.int64))
        results = self._results(tallied=self.games)
        self._run(self._kernels.play_at_random, steps, self.state, results, sums)
        return tally_of(self._gpu.copy_back(sums).tolist())

    def _results(self, *, tallied: int = 0, finals: Any = None) -> Results:
        rows, numbers = (0, 0) if finals is None else (self.games, self._planes())
        shape = (self.games, *self.observation_shape)
        finals = self._room(finals, shape, np.int8, "final observations") if rows else None
        return Results(
            rewards=self._gpu.array(self.games, np.float32),
            flags=self._gpu.array((FLAGS, self.games), np.bool_),
            ends=self._gpu.array(self.games, np.uint8),
            tally=self._gpu.array((TALLIES, tallied), np.int32),
            finals=finals.reshape(rows, numbers) if rows else self._gpu.array((0, 0), np.int8),
        )

    @property
    def turns(self) -> Any:
        """Whose turn it is, 0 the first player's, 1 the second's."""
        return self.state.counters[stepping.TURN]

    @property
    def plies(self) -> Any:
        """How many plies have been played in each game."""
        return self.state.counters[stepping.PLY]

    @property
    def occurrences(self) -> Any:
        """How often each game's position has occurred, this time included."""
        return self.state.counters[stepping.OCCURRENCES]

    @property
    def ends(self) -> Any:
        """The states of the games, indices into `END_REASONS`; 0 while a game goes on."""
        return self.state.counters[stepping.END]

    @property
    def outcomes(self) -> Any:
        """What finished games are worth to the player to move: 1 a win, -1 a loss, 0 a draw.

        0 while a game goes on.
        """
        found = self._gpu.array(self.games, np.int8)
        self._run(self._kernels.judge, Held(found), self.state)
        return found

    def _column(self, index: int) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        length = 2 + COUNTERS + 2 * self._slots
        column = self._gpu.array(length, np.int64)
        self._gpu.launch(_picking_kernel(), length, index, self.state, column)
        numbers: list[int] = self._gpu.copy_back(column).tolist()
        words, counters, history = numbers[:2], numbers[2 : 2 + COUNTERS], numbers[2 + COUNTERS :]
        kept = counters[SINCE] + 1 if self._slots else 0
        owns, opps = history[: self._slots], history[self._slots :]
        return words, counters, list(zip(owns[:kept], opps[:kept], strict=True))
