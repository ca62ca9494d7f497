"""Tree search in many games at once, with any evaluator: PUCT as in AlphaZero, or Gumbel.

>>> from nestline.envs.batch import Batch
>>> batch = Batch("tictactoe", games=2)
>>> batch.set_positions(["x3/w1,w1,x/b1,b1,x w", "start"])
>>> found = TreeSearch(batch, simulations=100).run(batch)
>>> found.actions[0]                    # c2 completes the line
np.int64(5)
>>> found.visits.shape, found.visits.sum(axis=1)
((2, 9), array([99, 99]))

An evaluator is a function of observations (games, planes, board, board) and masks (games, actions)
that returns values (games,), from -1 to 1 for the player to move, and policies (games, actions),
which need not be normalized. Each simulation evaluates one leaf in every game, in one call. What
happens in a single tree is in `growing`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.envs.batch import Batch
from nestline.envs.batch.base import BatchBase, whole_number
from nestline.envs.batch.stepping import State
from nestline.envs.tree import growing, gumbel
from nestline.envs.tree.arrays import EDGES, Found, Tree, room_for_found, room_for_trees
from nestline.envs.tree.gumbel import considered_visits
from nestline.errors import GameError, ShapeError
from nestline.rules.law import Law

Evaluator = Callable[[Any, Any], tuple[Any, Any]]

MOST_SIMULATIONS = 1_000_000
EXPLORATION = 1.25
LARGEST_KEY = 2**62


class Functions(NamedTuple):
    """The compiled loops for one rule set; each works on the games from `first` to `stop`."""

    plant: Callable[..., None]
    descend: Callable[..., None]
    grow: Callable[..., None]
    simulate: Callable[..., None]
    read: Callable[..., None]
    show: Callable[..., None]


@lru_cache
def functions_for(law: Law, repetition: int) -> Functions:
    """Compile for one rule set."""

    @inlined
    def plant(first: int, stop: int, key: int, state: State, tree: Tree) -> None:
        for game in range(first, stop):
            growing.plant(game, state, tree)
            if tree.gumbels.shape[0]:
                gumbel.draw_noise(game, key, tree, 0, 1)

    @inlined
    def descend(first: int, stop: int, exploration: float, state: State, tree: Tree) -> None:
        for game in range(first, stop):
            growing.descend(game, exploration, law, repetition, state, tree)

    @inlined
    def show(
        first: int, stop: int, state: State, tree: Tree, planes: NDArray[np.int8],
        masks: NDArray[np.bool_],
    ) -> None:  # fmt: skip
        for game in range(first, stop):
            growing.show_leaf(game, law, state, tree, planes, masks)

    @inlined
    def grow(
        first: int, stop: int, values: NDArray[np.float32], policies: NDArray[np.float32],
        tree: Tree,
    ) -> None:  # fmt: skip
        for game in range(first, stop):
            growing.grow(game, law, values, policies, tree)

    @inlined
    def simulate(
        first: int, stop: int, simulations: int, exploration: float, state: State,
        values: NDArray[np.float32], policies: NDArray[np.float32], tree: Tree,
    ) -> None:  # fmt: skip
        for game in range(first, stop):
            for _ in range(simulations):
                growing.descend(game, exploration, law, repetition, state, tree)
                growing.grow(game, law, values, policies, tree)

    @inlined
    def read(first: int, stop: int, tree: Tree, found: Found) -> None:
        for game in range(first, stop):
            growing.read_root(game, law, tree, found)

    return Functions(plant, descend, grow, simulate, read, show)


class TreeSearch:
    """Searches the games of batches like this one; its memory is used again by every run.

    `noise` mixes random numbers into the priors of the root, so that self-play sees other moves
    too: the concentration of a Dirichlet distribution and its share, in AlphaZero 10 divided by
    the usual number of moves, and 0.25. `gumbel` chooses the other method, and how many moves it
    considers at the root, 16 as a rule: it needs fewer simulations to improve a policy.
    """

    def __init__(
        self,
        batch: Batch,
        simulations: int = 100,
        *,
        exploration: float = EXPLORATION,
        noise: tuple[float, float] | None = None,
        gumbel: int | None = None,
        seed: int | None = None,
    ) -> None:
        self.simulations = checked_simulations(simulations, exploration)
        self.exploration = float(exploration)
        considered = considered_moves(gumbel, self.simulations)
        if noise and gumbel:
            raise GameError("a Gumbel search has noise of its own")
        self._noise = noise
        self._chance = np.random.default_rng(seed)
        self._games, self._rules = batch.games, batch.rules
        self._functions = functions_for(batch.rules.law, batch.rules.repetition)
        law, with_gumbel = batch.rules.law, gumbel is not None
        room = room_for_trees(batch.games, self.simulations, law, with_gumbel)
        self._tree = room._replace(considered=considered)

    def run(self, batch: Batch, evaluator: Evaluator | None = None) -> Found:
        """Search from the present positions, which do not change.

        Without an evaluator every leaf is worth 0 and all moves are alike, so that only results
        count.
        """
        check_fit(batch, self._games, self._rules)
        functions, tree = self._functions, self._tree
        key = int(self._chance.integers(LARGEST_KEY))
        batch.in_threads(functions.plant, key, batch.state, tree)
        if evaluator is None:
            self._simulate(batch, 1)
            self._add_noise()
            self._simulate(batch, self.simulations - 1)
        else:
            planes = np.empty((batch.games, *batch.observation_shape), np.int8)
            rows = planes.reshape(batch.games, -1)
            masks = np.empty((batch.games, batch.actions), np.bool_)
            for number in range(self.simulations):
                batch.in_threads(functions.descend, self.exploration, batch.state, tree)
                batch.in_threads(functions.show, batch.state, tree, rows, masks)
                answer = checked_answer(evaluator(planes, masks), batch.games, batch.actions)
                batch.in_threads(functions.grow, *answer, tree)
                if number == 0:
                    self._add_noise()
        found = room_for_found(batch.games, batch.actions)
        batch.in_threads(functions.read, tree, found)
        return found

    def _simulate(self, batch: Batch, simulations: int) -> None:
        batch.in_threads(
            self._functions.simulate, simulations, self.exploration, batch.state, _NO_VALUES,
            _NO_POLICIES, self._tree,
        )  # fmt: skip

    def _add_noise(self) -> None:
        if self._noise is None:
            return
        concentration, share = self._noise
        counts = self._tree.facts[EDGES, :, 0]
        shape = (self._games, int(counts.max()))
        drawn = self._chance.standard_gamma(concentration, shape)
        drawn[np.arange(shape[1]) >= counts[:, None]] = 0
        drawn /= np.maximum(drawn.sum(axis=1, keepdims=True), 1e-30)
        # The edges of the root are the first of a tree.
        priors = self._tree.priors[:, : shape[1]]
        priors[:] = np.where(drawn > 0, (1 - share) * priors + share * drawn, priors)


_NO_VALUES = np.empty(0, np.float32)
_NO_POLICIES = np.empty((0, 0), np.float32)


def checked_simulations(simulations: int, exploration: float) -> int:
    """The options of a search, if they make sense."""
    if not exploration > 0:
        raise GameError(f"the exploration is a number above 0, not {exploration!r}")
    return whole_number("a search has", "simulations", simulations, MOST_SIMULATIONS)


def considered_moves(gumbel: int | None, simulations: int) -> NDArray[np.int32]:
    """The table that a Gumbel search follows at the root; empty without one."""
    if gumbel is None:
        return np.empty((0, 0), np.int32)
    most = whole_number("a Gumbel search considers", "moves", gumbel, kernel.MAX_MOVES)
    return considered_visits(most, simulations)


def check_fit(batch: BatchBase, games: int, rules: Any) -> None:
    """Refuse a batch of another size or rule set."""
    if batch.games != games or batch.rules != rules:
        raise ShapeError(
            f"this search was made for {games} games of {rules.name}, "
            f"not for {batch.games} of {batch.rules.name}"
        )


def checked_answer(
    answer: Any, games: int, actions: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """An evaluator's answer as arrays of the right shapes."""
    values, policies = (np.ascontiguousarray(part, np.float32) for part in answer)
    if values.shape != (games,) or policies.shape != (games, actions):
        raise ShapeError(
            f"an evaluator answers with values ({games},) and policies ({games}, {actions}), "
            f"not with {values.shape} and {policies.shape}"
        )
    if not (np.isfinite(values).all() and (policies >= 0).all()):
        raise ShapeError("values are numbers, and policies numbers from 0 on")
    return values, policies
