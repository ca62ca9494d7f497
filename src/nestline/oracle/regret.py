"""Regret: how much value an agent's actions give away.

In one position it is the value of the position minus the expected value of the agent's action,
from 0 (best) to 2 (a win turned into a loss). It is averaged over all reachable
positions, or over those that the agent's own play reaches. Values ignore the history.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.errors import GameError
from nestline.oracle.policies import Policy, ask, draw, random_policy
from nestline.oracle.positions import Words, expand
from nestline.oracle.reachable import Reachable
from nestline.oracle.values import ExactValues
from nestline.solve.retrograde import Progress

MOST_POSITIONS = 1_000_000
"""Play with more distinct positions at one ply is no longer followed exactly."""

LONGEST_PLAY = 200
"""Games are abandoned after this many plies."""


@dataclass(frozen=True)
class Regret:
    """How much value an agent gives away, on average over positions."""

    mean: float
    """Value given away per position, 0 to 2."""
    mistakes: float
    """The share of positions in which the action gives value away."""
    positions: int
    """How many positions were judged."""
    error: float
    """Standard error of the mean; 0 if nothing was sampled."""
    per_game: float | None = None
    """Value given away per game, where games were played."""

    @property
    def is_exact(self) -> bool:
        return self.error == 0


class _Sum:
    """Regret summed over groups of positions: single ones, or whole games."""

    def __init__(self, groups: int = 0) -> None:
        self.weight = self.thrown = self.mistakes = 0.0
        self.positions = 0
        self.by_group = np.zeros((2, groups))
        """The number of positions of a group, and their total regret."""
        self.squares = 0.0

    def add(
        self, lost: "Lost", weights: NDArray[np.float64], groups: NDArray[np.int64] | None = None
    ) -> None:
        self.weight += float(weights.sum())
        self.thrown += float((weights * lost.value).sum())
        self.mistakes += float((weights * lost.chance).sum())
        self.positions += len(weights)
        if groups is None:
            self.squares += float((lost.value**2).sum())
        else:
            self.by_group[0, groups] += 1
            self.by_group[1, groups] += lost.value

    def result(self, *, exact: bool, games: float | None = None) -> Regret:
        if not self.positions:
            raise GameError("no game has gone beyond its opening moves; take fewer of them")
        mean = self.thrown / self.weight
        error = 0.0 if exact else max(self._error(mean), 1 / self.positions)
        per_game = None if games is None else self.thrown / games
        return Regret(mean, self.mistakes / self.weight, self.positions, error, per_game)

    def _error(self, mean: float) -> float:
        """The standard error of the mean; positions of one game depend on each other."""
        squares = self.squares - self.positions * mean * mean
        if self.by_group.size:
            counts, sums = self.by_group
            squares = float(((sums - mean * counts) ** 2).sum())
        return float(max(0.0, squares) ** 0.5 / self.positions)


class Lost(NamedTuple):
    """A policy's regret in each of n positions; arrays of shape (n,)."""

    value: NDArray[np.float64]
    chance: NDArray[np.float64]
    """The probability of giving anything away."""


def lost_by(exact: ExactValues, chances: NDArray[np.float64], owns: Words, opps: Words) -> Lost:
    """The regret of these probabilities (n, actions) in unfinished positions."""
    values = exact.action_values(owns, opps).values.astype(np.float64)
    best = values.max(axis=1)
    loss = best[:, None] - values
    return Lost((chances * loss).sum(axis=1), (chances * (loss > 0)).sum(axis=1))


def regret_everywhere(
    exact: ExactValues, space: Reachable, policy: Policy, sample: int | None, seed: int,
    progress: Progress | None,
) -> Regret:  # fmt: skip
    """Over all reachable positions up to symmetry, each of which counts once, or a sample."""
    total = _Sum()
    for owns, opps, done in space.positions(sample, seed):
        chances = ask(policy, owns, opps, exact.rules)
        total.add(lost_by(exact, chances, owns, opps), np.ones(len(owns)))
        if progress:
            progress(done)
    return total.result(exact=sample is None)


# Over the positions that the policy's own play reaches.


class _Games(NamedTuple):
    """Games in progress; those with the same position are merged."""

    owns: Words
    opps: Words
    weights: NDArray[np.float64]
    numbers: NDArray[np.int64]
    """Numbers of the games, where they are not merged."""


def _merged(games: _Games) -> _Games:
    order = np.lexsort((games.opps, games.owns))
    owns, opps = games.owns[order], games.opps[order]
    new = np.ones(len(owns), np.bool_)
    new[1:] = (owns[1:] != owns[:-1]) | (opps[1:] != opps[:-1])
    starts = np.flatnonzero(new)
    weights = np.add.reduceat(games.weights[order], starts) if len(starts) else games.weights
    return _Games(owns[starts], opps[starts], weights, starts)


def _all_moves(exact: ExactValues, games: _Games, chances: NDArray[np.float64]) -> _Games:
    """The games after a move; every action of nonzero probability is followed."""
    children = expand(games.owns, games.opps, exact.rules)
    weights = games.weights[children.parents] * chances[children.parents, children.actions]
    go_on = (children.ends == kernel.ONGOING) & (weights > 0)
    parents = children.parents[go_on]
    return _merged(_Games(children.owns[go_on], children.opps[go_on], weights[go_on], parents))


def _one_move(
    exact: ExactValues, games: _Games, chances: NDArray[np.float64], chance: np.random.Generator
) -> _Games:
    """The games after one sampled move in each."""
    chosen = draw(chances, chance)
    children = expand(games.owns, games.opps, exact.rules)
    taken = (children.actions == chosen[children.parents]) & (children.ends == kernel.ONGOING)
    parents = children.parents[taken]
    return _Games(
        children.owns[taken], children.opps[taken], games.weights[parents], games.numbers[parents]
    )


def regret_in_play(
    exact: ExactValues, policy: Policy, against: Sequence[Policy], opening: int,
    sample: int | None, seed: int, progress: Progress | None,
) -> Regret:  # fmt: skip
    """Over the positions of self-play, or of play against other policies, each side in half of it.

    Each position counts as often as it is reached; a number of opening moves are random and do not
    count. Without `sample` every possible game is followed with its probability; otherwise that
    many games are played, as many against each.
    """
    chance = np.random.default_rng(seed)
    pairings: list[tuple[Policy, int | None]] = [
        (other, seat) for other in against for seat in (0, 1)
    ]
    pairings = pairings or [(policy, None)]
    count = 1 if sample is None else max(1, sample // len(pairings))
    total = _Sum(0 if sample is None else count * len(pairings))
    for pairing, (other, seat) in enumerate(pairings):
        zeros = np.zeros(count, np.int64)
        numbers = np.arange(pairing * count, (pairing + 1) * count)
        games = _Games(zeros, zeros.copy(), np.full(count, 1 / (len(pairings) * count)), numbers)
        for ply in range(LONGEST_PLAY):
            if len(games.owns) > MOST_POSITIONS:
                raise GameError(
                    f"after {ply} plies this play has reached more than {MOST_POSITIONS:,} "
                    "positions, too many to follow; give the number of games as `sample`"
                )
            is_own = seat is None or ply % 2 == seat
            mover = random_policy if ply < opening else policy if is_own else other
            chances = ask(mover, games.owns, games.opps, exact.rules)
            if is_own and ply >= opening:
                lost = lost_by(exact, chances, games.owns, games.opps)
                total.add(lost, games.weights, None if sample is None else games.numbers)
            if sample is None:
                games = _all_moves(exact, games, chances)
            else:
                games = _one_move(exact, games, chances, chance)
            if not len(games.owns):
                break
            if progress:
                progress((pairing + (ply + 1) / LONGEST_PLAY) / len(pairings))
    return total.result(exact=sample is None, games=1.0)


def checked_sample(sample: int | None) -> int | None:
    """The size of a sample, if it is one."""
    if sample is not None and (not isinstance(sample, (int, np.integer)) or sample < 2):
        raise GameError(f"a sample has at least 2 members, not {sample!r}")
    return sample if sample is None else int(sample)
