"""Tree search on an NVIDIA GPU: a warp per game, trees that never leave the device.

    batch = CudaBatch("gobblers", games=4096)
    found = CudaTreeSearch(batch, simulations=200).run(batch, evaluator)
    batch.step(found.actions)

The evaluator gets device arrays and returns device arrays, both with `__cuda_array_interface__`, so
a network in PyTorch takes them without copying. What happens in a tree is in `growing`, as in
`search`, and in `lanes`, so both find the same.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from nestline.envs.batch.cuda import CudaBatch, Held
from nestline.envs.tree import growing, gumbel, lanes
from nestline.envs.tree.arrays import Found, room_for_found, room_for_trees
from nestline.envs.tree.search import (
    EXPLORATION,
    LARGEST_KEY,
    Evaluator,
    Functions,
    check_fit,
    checked_simulations,
    considered_moves,
)
from nestline.errors import GameError, ShapeError
from nestline.gpu import SIMULATED_THREADS, Gpu, cuda
from nestline.rules.law import Law

THREADS = 64
"""Threads per block of the kernels that have one thread per game."""


@lru_cache
def kernels_for(law: Law, repetition: int) -> Functions:
    """The kernels for one rule set: a block per game, one thread per game to show and read."""

    @cuda.jit
    def plant(key, state, tree):  # type: ignore[no-untyped-def]
        game = cuda.blockIdx.x
        if cuda.threadIdx.x == 0:
            growing.plant(game, state, tree)
        if tree.gumbels.shape[0]:
            drawn = key.array[0] + key.array[1]
            gumbel.draw_noise(game, drawn, tree, cuda.threadIdx.x, cuda.blockDim.x)

    @cuda.jit
    def descend(exploration, state, tree):  # type: ignore[no-untyped-def]
        lanes.descend(cuda.blockIdx.x, exploration, law, repetition, state, tree)

    @cuda.jit
    def show(games, state, tree, planes, masks):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            growing.show_leaf(game, law, state, tree, planes.array, masks.array)

    @cuda.jit
    def grow(values, policies, tree):  # type: ignore[no-untyped-def]
        lanes.grow(cuda.blockIdx.x, law, values.array, policies.array, tree)

    @cuda.jit
    def simulate(simulations, exploration, state, values, policies, tree):  # type: ignore[no-untyped-def]
        for _ in range(simulations):
            lanes.descend(cuda.blockIdx.x, exploration, law, repetition, state, tree)
            lanes.grow(cuda.blockIdx.x, law, values.array, policies.array, tree)

    @cuda.jit
    def read(games, key, tree, found):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            growing.read_root(game, law, tree, found)
        if game == 0:
            key.array[1] += games  # other noise for the next run, also where a graph repeats it

    return Functions(plant, descend, grow, simulate, read, show)


class CudaTreeSearch:
    """Searches the games of batches like this one; its memory is used again by every run.

    The options are those of `TreeSearch`; only Gumbel's method has noise.
    """

    def __init__(
        self,
        batch: CudaBatch,
        simulations: int = 100,
        *,
        exploration: float = EXPLORATION,
        gumbel: int | None = None,
        seed: int | None = None,
    ) -> None:
        self.simulations = checked_simulations(simulations, exploration)
        self.exploration = float(exploration)
        self._gpu = Gpu("a search on the GPU", GameError, THREADS)
        self._games, self._rules = batch.games, batch.rules
        self._kernels = kernels_for(batch.rules.law, batch.rules.repetition)
        first_key = int(np.random.default_rng(seed).integers(LARGEST_KEY))
        self._key = Held(self._gpu.copy_to(np.array([first_key, 0], np.int64)))
        law, with_gumbel = batch.rules.law, gumbel is not None
        array = self._gpu.array
        room = room_for_trees(batch.games, self.simulations, law, with_gumbel, array)
        considered = considered_moves(gumbel, self.simulations)
        self._tree = room._replace(considered=self._gpu.copy_to(considered))
        self._planes = array((batch.games, *batch.observation_shape), np.int8)
        self._masks = array((batch.games, batch.actions), np.bool_)
        self._nothing = Held(array(0, np.float32)), Held(array((0, 0), np.float32))
        self._found = room_for_found(batch.games, batch.actions, array)

    def use_stream(self, address: int | None) -> None:
        """Run on a CUDA stream, given as its address; None is the default stream.

        On that of PyTorch, `torch.cuda.current_stream().cuda_stream`, a run can be captured
        in a CUDA graph after a first one that compiles. The graph repeats the search from whatever
        positions the batch has then.
        """
        self._gpu.use_stream(address)

    def run(self, batch: CudaBatch, evaluator: Evaluator | None = None) -> Found:
        """Search from the present positions, which do not change; as in `TreeSearch`.

        The arrays of the answer are on the device, and the next run writes into the same ones.
        """
        check_fit(batch, self._games, self._rules)
        kernels, state, tree = self._kernels, batch.state, self._tree
        self._per_block(kernels.plant, self._key, state, tree)
        if evaluator is None:
            self._per_block(
                kernels.simulate, self.simulations, self.exploration, state, *self._nothing, tree
            )
        else:
            rows = self._planes.reshape(batch.games, int(np.prod(batch.observation_shape)))
            seen = Held(rows), Held(self._masks)
            for _ in range(self.simulations):
                self._per_block(kernels.descend, self.exploration, state, tree)
                self._per_thread(kernels.show, state, tree, *seen)
                values, policies = evaluator(self._planes, self._masks)
                answer = (
                    self._taken(values, (batch.games,)),
                    self._taken(policies, (batch.games, batch.actions)),
                )
                self._per_block(kernels.grow, *answer, tree)
        self._per_thread(kernels.read, self._key, tree, self._found)
        return self._found

    def _per_thread(self, kernel: Any, *arguments: Any) -> None:
        self._gpu.launch(kernel, self._games, self._games, *arguments)

    def _per_block(self, kernel: Any, *arguments: Any) -> None:
        threads = SIMULATED_THREADS if self._gpu.is_simulated else lanes.LANES
        self._gpu.launch_blocks(kernel, self._games, threads, *arguments)

    def _taken(self, values: Any, shape: tuple[int, ...]) -> Held:
        """A part of the evaluator's answer."""
        found = np.asarray(values) if self._gpu.is_simulated else cuda.as_cuda_array(values)
        if found.shape != shape or found.dtype != np.float32:
            raise ShapeError(
                f"an evaluator answers with float32 arrays on the device, here of shape {shape}, "
                f"not with {found.dtype} of shape {found.shape}"
            )
        return Held(found)
