"""Which edge a Gumbel search follows (Danihelka et al., 2022).

At the root, sequential halving decides between the moves with the largest sums of prior and noise;
below, visits follow the improved policy. With few simulations this improves a policy where PUCT
need not. The trees are those of `growing`, with the logarithms of priors. Unvisited edges count
with a mixture of the node's own value and those of the visited ones. The constants are those of the
paper for Go and chess. mctx stretches the values of a node to the whole range, which makes tiny
differences decide: a move that looked a little worse at first is then never tried again.

Most functions do a share of their work, that of one lane of many: the edges whose number, divided
by `lanes`, leaves `lane`. On the CPU there is a single lane; `lanes` combines those of a GPU.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.envs.batch import stepping
from nestline.envs.tree.arrays import EDGES, FIRST_EDGE, VISITS, Tree

VISITS_AT_FIRST = 50.0
SMALLEST = 1e-8


class Sums(NamedTuple):
    """What a node's improved policy needs to know of its visited edges."""

    visits: int
    most: int
    """The visits of the edge with most of them."""
    priors: float
    weighted: float
    """The sum of values times priors."""


class Scale(NamedTuple):
    """What turns the prior and the value of an edge into its score."""

    weight: float
    """How much values count against priors; grows with the visits."""
    unvisited: float
    """What an edge without visits counts as worth."""


@inlined
def log_prior(prior: float) -> float:
    """What the trees of this method keep in place of a prior."""
    return math.log(max(prior, SMALLEST))


@inlined
def draw_noise(game: int, key: int, tree: Tree, lane: int, lanes: int) -> None:
    """Draw the noise of the root's moves; a key gives the same numbers on every device."""
    seed = stepping.mixed(key + game)
    for move in range(lane, tree.gumbels.shape[1], lanes):
        bits = stepping.mixed(seed + move) >> 12 & 0xF_FFFF_FFFF_FFFF
        tree.gumbels[game, move] = -math.log(-math.log((bits + 0.5) / 2.0**52))


@inlined
def sums_of(game: int, node: int, tree: Tree, lane: int, lanes: int) -> Sums:
    """Sum up a lane's share of a node's visited edges."""
    first = int(tree.facts[FIRST_EDGE, game, node])
    stop = first + int(tree.facts[EDGES, game, node])
    total, most = 0, 0
    priors, weighted = 0.0, 0.0
    for edge in range(first + lane, stop, lanes):
        visits = int(tree.visits[game, edge])
        if visits:
            prior = math.exp(tree.priors[game, edge])
            priors += prior
            weighted += prior * (tree.totals[game, edge] / visits)
            total += visits
            most = max(most, visits)
    return Sums(total, most, priors, weighted)


@inlined
def scale_of(game: int, node: int, sums: Sums, tree: Tree) -> Scale:
    """How the edges of a node are scored, from the sums of all lanes."""
    unvisited = float(tree.values[game, node])
    if sums.visits:
        mean = sums.weighted / max(sums.priors, SMALLEST)
        unvisited = (unvisited + sums.visits * mean) / (1 + sums.visits)
    return Scale(VISITS_AT_FIRST + sums.most, unvisited)


@inlined
def score(game: int, edge: int, scale: Scale, tree: Tree) -> float:
    """The logarithm of an edge's part of the improved policy, but for a constant."""
    visits = tree.visits[game, edge]
    value = float(tree.totals[game, edge] / visits) if visits else scale.unvisited
    return float(tree.priors[game, edge]) + scale.weight * ((1 + value) / 2)


@inlined
def highest_score(game: int, node: int, scale: Scale, tree: Tree, lane: int, lanes: int) -> float:
    """The largest score of a lane's share of the edges."""
    first = int(tree.facts[FIRST_EDGE, game, node])
    highest = -math.inf
    for edge in range(first + lane, first + int(tree.facts[EDGES, game, node]), lanes):
        highest = max(highest, score(game, edge, scale, tree))
    return highest


@inlined
def exponentials(
    game: int, node: int, scale: Scale, highest: float, tree: Tree, lane: int, lanes: int
) -> float:
    """The sum of the exponentials of a lane's share of the scores, less the highest of all."""
    first = int(tree.facts[FIRST_EDGE, game, node])
    total = 0.0
    for edge in range(first + lane, first + int(tree.facts[EDGES, game, node]), lanes):
        total += math.exp(score(game, edge, scale, tree) - highest)
    return total


@inlined
def wanted_visits(game: int, tree: Tree) -> int:
    """How many visits the root's edge has that this simulation follows: sequential halving."""
    moves = min(int(tree.facts[EDGES, game, 0]), tree.considered.shape[0] - 1)
    return int(tree.considered[moves, int(tree.facts[VISITS, game, 0]) - 1])


@inlined
def best_at_root(
    game: int, visits: int, scale: Scale, tree: Tree, lane: int, lanes: int
) -> tuple[float, int]:
    """The best of a lane's share of the root's edges with this many visits, noise included."""
    first = int(tree.facts[FIRST_EDGE, game, 0])
    best = first
    best_score = -math.inf
    for edge in range(first + lane, first + int(tree.facts[EDGES, game, 0]), lanes):
        if tree.visits[game, edge] == visits:
            found = score(game, edge, scale, tree) + tree.gumbels[game, edge - first]
            if found > best_score:
                best, best_score = edge, found
    return best_score, best


@inlined
def best_below(
    game: int, node: int, scale: Scale, highest: float, total: float, tree: Tree, lane: int,
    lanes: int,
) -> tuple[float, int]:  # fmt: skip
    """Of a lane's share, the edge whose visits lie most below its part of the improved policy."""
    first = int(tree.facts[FIRST_EDGE, game, node])
    visits = int(tree.facts[VISITS, game, node])
    best = first
    best_score = -math.inf
    for edge in range(first + lane, first + int(tree.facts[EDGES, game, node]), lanes):
        share = math.exp(score(game, edge, scale, tree) - highest) / total
        found = share - tree.visits[game, edge] / visits
        if found > best_score:
            best, best_score = edge, found
    return best_score, best


@inlined
def root_edge(game: int, visits: int, tree: Tree) -> int:
    """The best edge of the root among those with this many visits, noise included."""
    scale = scale_of(game, 0, sums_of(game, 0, tree, 0, 1), tree)
    return best_at_root(game, visits, scale, tree, 0, 1)[1]


@inlined
def inner_edge(game: int, node: int, tree: Tree) -> int:
    """The edge to follow from a node below the root."""
    scale = scale_of(game, node, sums_of(game, node, tree, 0, 1), tree)
    highest = highest_score(game, node, scale, tree, 0, 1)
    total = exponentials(game, node, scale, highest, tree, 0, 1)
    return best_below(game, node, scale, highest, total, tree, 0, 1)[1]


def considered_visits(most: int, simulations: int) -> NDArray[np.int32]:
    """(most + 1, simulations): how many visits the edge has that each simulation follows.

    A row for each number of moves. Sequential halving: all of them get the same number of visits,
    then the better half the same number more, and so on, down to two.
    """
    return np.array([_sequence(moves, simulations) for moves in range(most + 1)], np.int32)


def _sequence(moves: int, simulations: int) -> list[int]:
    if moves <= 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(moves))
    visits, left = [0] * moves, moves
    found: list[int] = []
    while len(found) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            found += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return found[:simulations]
