"""The batch on an NVIDIA GPU: one thread per game, arrays that never leave the device.

`CudaBatch` takes and returns device arrays. They have `__cuda_array_interface__`, so PyTorch and
CuPy share them without copying, and it accepts theirs the same way:

    batch = CudaBatch("gobblers", games=1_000_000, seed=1)
    planes = torch.as_tensor(batch.observe(), device="cuda")
    masks = torch.as_tensor(batch.legal_action_mask(), device="cuda")
    step = batch.step(policy(planes, masks).argmax(dim=1))     # integers, shape (games,)

The games run through the same functions as in `batch`, so both give identical results.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from nestline.envs import stepping
from nestline.envs.batch import (
    DEFAULT_PLY_LIMIT,
    BatchBase,
    Functions,
    Step,
    Tally,
    seeded_chance,
    tally_of,
    whole_number,
)
from nestline.envs.stepping import COUNTERS, FLAGS, SINCE, TALLIES, Results, State
from nestline.errors import GameError, ShapeError
from nestline.gpu import Gpu, cuda
from nestline.position import Position
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
    def step(games, chosen, state, results):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.step(game, int(chosen.array[game]), law, repetition, state, results)

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
    def look(games, hide_covered, state, seen):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            stepping.look(game, law, hide_covered, state, seen.array)

    return Functions(begin, step, choose, play_at_random, mark_legal, look)


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
    """Games of one rule set on the GPU; see the module's example.

    The options are those of `Batch`. Returned arrays are on the device; `turns`, `plies`,
    `occurrences` and `ends` are views of the games, which change with them.
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
    ) -> None:
        super().__init__(
            rules, games, ply_limit=ply_limit, start=start, auto_reset=auto_reset,
            hide_covered=hide_covered,
        )  # fmt: skip
        self._gpu = Gpu("a batch on the graphics card", GameError, THREADS)
        self._kernels = kernels_for(self.rules.law, self.rules.repetition)
        self.state = State(
            words=self._gpu.array((2, self.games), np.int64),
            counters=self._gpu.array((COUNTERS, self.games), np.int32),
            history=self._gpu.array((2, self._slots, self.games), np.int64),
            chance=self._gpu.copy_to(seeded_chance(seed, self.games)),
            settings=self._gpu.copy_to(self._settings()),
        )
        self.reset()

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
        marks = np.ones(self.games, np.bool_) if where is None else where
        held = self._taken(marks, "b", "games to reset are marked with bools")
        if seed is not None:
            chance = self._gpu.copy_to(seeded_chance(seed, self.games))
            self.state = self.state._replace(chance=chance)
        self._run(self._kernels.begin, held, self.state)

    def step(self, actions: Any) -> Step:
        """Play an action in every game; illegal ones are flagged and change nothing.

        `actions` are integers of shape (games,), best on the device. A finished game does not
        change.
        """
        held = self._taken(actions, "iu", "actions are whole numbers")
        results = self._results(0)
        self._run(self._kernels.step, held, self.state, results)
        terminated, truncated, illegal = (results.flags[row] for row in range(FLAGS))
        return Step(results.rewards, terminated, truncated, illegal, results.ends)

    def legal_action_mask(self, out: Any = None) -> Any:
        """Which actions are legal, as a bool array of shape (games, actions)."""
        masks = self._room(out, (self.games, self.actions), np.bool_, "masks")
        self._run(self._kernels.mark_legal, self.state, Held(masks))
        return masks

    def observe(self, out: Any = None) -> Any:
        """What the players to move see, as an int8 array of shape (games, planes, board, board)."""
        planes = self._room(out, (self.games, *self.observation_shape), np.int8, "observations")
        rows = Held(planes.reshape(self.games, self._planes()))
        self._run(self._kernels.look, int(self.hide_covered), self.state, rows)
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
        results = self._results(self.games)
        self._run(self._kernels.play_at_random, steps, self.state, results, sums)
        return tally_of(self._gpu.copy_back(sums).tolist())

    def _results(self, tallied: int) -> Results:
        return Results(
            rewards=self._gpu.array(self.games, np.float32),
            flags=self._gpu.array((FLAGS, self.games), np.bool_),
            ends=self._gpu.array(self.games, np.uint8),
            tally=self._gpu.array((TALLIES, tallied), np.int32),
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

    def _column(self, index: int) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        length = 2 + COUNTERS + 2 * self._slots
        column = self._gpu.array(length, np.int64)
        self._gpu.launch(_picking_kernel(), length, index, self.state, column)
        numbers: list[int] = self._gpu.copy_back(column).tolist()
        words, counters, history = numbers[:2], numbers[2 : 2 + COUNTERS], numbers[2 + COUNTERS :]
        kept = counters[SINCE] + 1 if self._slots else 0
        owns, opps = history[: self._slots], history[self._slots :]
        return words, counters, list(zip(owns[:kept], opps[:kept], strict=True))
