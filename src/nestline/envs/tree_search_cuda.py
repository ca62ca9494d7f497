"""Tree search on an NVIDIA GPU: one thread per game, trees that never leave the device.

    batch = CudaBatch("gobblers", games=4096)
    found = CudaTreeSearch(batch, simulations=200).run(batch, evaluator)
    batch.step(found.actions)

The evaluator gets device arrays and returns device arrays, both with `__cuda_array_interface__`, so
a network in PyTorch takes them without copying. The trees grow by the same functions as in
`tree_search`, so both find the same.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from nestline.envs import tree as trees
from nestline.envs.batch_cuda import CudaBatch, Held
from nestline.envs.tree_arrays import Found, room_for_found, room_for_trees
from nestline.envs.tree_search import (
    EXPLORATION,
    Evaluator,
    Functions,
    check_fit,
    checked_simulations,
    considered_moves,
)
from nestline.errors import GameError, ShapeError
from nestline.gpu import Gpu, cuda
from nestline.rules.law import Law

THREADS = 64


@lru_cache
def kernels_for(law: Law, repetition: int) -> Functions:
    """The kernels for one rule set; one thread per game."""

    @cuda.jit
    def plant(games, state, tree):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            trees.plant(game, state, tree)

    @cuda.jit
    def descend(games, exploration, state, tree, planes, masks):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            trees.descend(game, exploration, law, repetition, state, tree)
            trees.show_leaf(game, law, state, tree, planes.array, masks.array)

    @cuda.jit
    def grow(games, values, policies, tree):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            trees.grow(game, law, values.array, policies.array, tree)

    @cuda.jit
    def simulate(games, simulations, exploration, state, values, policies, tree):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            for _ in range(simulations):
                trees.descend(game, exploration, law, repetition, state, tree)
                trees.grow(game, law, values.array, policies.array, tree)

    @cuda.jit
    def read(games, tree, found):  # type: ignore[no-untyped-def]
        game = cuda.grid(1)
        if game < games:
            trees.read_root(game, law, tree, found)

    return Functions(plant, descend, grow, simulate, read)


class CudaTreeSearch:
    """Searches the games of batches like this one; its memory is used again by every run."""

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
        self._gpu = Gpu("a search on the graphics card", GameError, THREADS)
        self._games, self._rules = batch.games, batch.rules
        self._kernels = kernels_for(batch.rules.law, batch.rules.repetition)
        self._chance = np.random.default_rng(seed)
        law, with_gumbel = batch.rules.law, gumbel is not None
        room = room_for_trees(batch.games, self.simulations, law, with_gumbel, self._gpu.array)
        considered = considered_moves(gumbel, self.simulations)
        self._tree = room._replace(considered=self._gpu.copy_to(considered))

    def run(self, batch: CudaBatch, evaluator: Evaluator | None = None) -> Found:
        """Search from the present positions, which do not change; as in `TreeSearch`.

        The arrays of the answer are on the device.
        """
        check_fit(batch, self._games, self._rules)
        kernels, array = self._kernels, self._gpu.array
        noise = self._chance.gumbel(size=self._tree.gumbels.shape).astype(np.float32)
        tree = self._tree._replace(gumbels=self._gpu.copy_to(noise))
        self._launch(kernels.plant, batch.state, tree)
        if evaluator is None:
            nothing = (Held(array(0, np.float32)), Held(array((0, 0), np.float32)))
            self._launch(
                kernels.simulate, self.simulations, self.exploration, batch.state, *nothing, tree
            )
        else:
            planes = array((batch.games, *batch.observation_shape), np.int8)
            masks = array((batch.games, batch.actions), np.bool_)
            rows = planes.reshape(batch.games, int(np.prod(batch.observation_shape)))
            for _ in range(self.simulations):
                self._launch(
                    kernels.descend, self.exploration, batch.state, tree, Held(rows), Held(masks)
                )
                values, policies = evaluator(planes, masks)
                answer = (
                    self._taken(values, (batch.games,)),
                    self._taken(policies, (batch.games, batch.actions)),
                )
                self._launch(kernels.grow, *answer, tree)
        found = room_for_found(batch.games, batch.actions, array)
        self._launch(kernels.read, tree, found)
        return found

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        self._gpu.launch(kernel, self._games, self._games, *arguments)

    def _taken(self, values: Any, shape: tuple[int, ...]) -> Held:
        """A part of the evaluator's answer."""
        found = np.asarray(values) if self._gpu.is_simulated else cuda.as_cuda_array(values)
        if found.shape != shape or found.dtype != np.float32:
            raise ShapeError(
                f"an evaluator answers with float32 arrays on the device, here of shape {shape}, "
                f"not with {found.dtype} of shape {found.shape}"
            )
        return Held(found)
