"""Which edge a Gumbel search follows (Danihelka et al., 2022).

At the root, sequential halving decides between the moves with the largest sums of prior and noise;
below, visits follow the improved policy. With few simulations this improves a policy where PUCT
need not. The trees are those of `tree`. Unvisited edges count with a mixture of the node's own
value and those of the visited ones. The constants are those of the paper for Go and chess. mctx
stretches the values of a node to the whole range, which makes tiny differences decide: a move that
looked a little worse at first is then never tried again.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.envs.tree_arrays import EDGES, FIRST_EDGE, VISITS, Tree

VISITS_AT_FIRST = 50.0
SMALLEST = 1e-8


class Improved(NamedTuple):
    """What turns priors and values of a node's edges into its improved policy."""

    weight: float
    """How much values count against priors; grows with the visits."""
    unvisited: float
    """What an edge without visits counts as worth."""
    highest: float
    """The largest score of an edge."""
    total: float
    """The sum of the exponentials of all scores, less the largest one."""


@inlined
def _value(game: int, edge: int, unvisited: float, tree: Tree) -> float:
    visits = tree.visits[game, edge]
    return float(tree.totals[game, edge] / visits) if visits else unvisited


@inlined
def _score(game: int, edge: int, weight: float, unvisited: float, tree: Tree) -> float:
    """The logarithm of an edge's part of the improved policy, but for a constant."""
    prior = max(float(tree.priors[game, edge]), SMALLEST)
    chance_to_win = (1 + _value(game, edge, unvisited, tree)) / 2
    return math.log(prior) + weight * chance_to_win


@inlined
def improved(game: int, node: int, tree: Tree) -> Improved:
    """The improved policy of a node."""
    first = int(tree.facts[FIRST_EDGE, game, node])
    stop = first + int(tree.facts[EDGES, game, node])
    total, most = 0, 0
    prior, weighted = 0.0, 0.0
    for edge in range(first, stop):
        visits = int(tree.visits[game, edge])
        if visits:
            prior += tree.priors[game, edge]
            weighted += tree.priors[game, edge] * (tree.totals[game, edge] / visits)
            total += visits
            most = max(most, visits)
    unvisited = float(tree.values[game, node])
    if total:
        unvisited = (unvisited + total * weighted / max(prior, SMALLEST)) / (1 + total)
    weight = VISITS_AT_FIRST + most
    highest = -math.inf
    for edge in range(first, stop):
        highest = max(highest, _score(game, edge, weight, unvisited, tree))
    exponentials = 0.0
    for edge in range(first, stop):
        score = _score(game, edge, weight, unvisited, tree)
        exponentials += math.exp(score - highest)
    return Improved(weight, unvisited, highest, exponentials)


@inlined
def score(game: int, edge: int, of: Improved, tree: Tree) -> float:
    """The logarithm of an edge's part of the improved policy, but for a constant."""
    return _score(game, edge, of.weight, of.unvisited, tree)


@inlined
def share(game: int, edge: int, of: Improved, tree: Tree) -> float:
    """An edge's part of the improved policy."""
    return math.exp(score(game, edge, of, tree) - of.highest) / of.total


@inlined
def last_edge(game: int, visits: int, tree: Tree) -> int:
    """The best edge of the root among those with this many visits, noise included."""
    of = improved(game, 0, tree)
    first = int(tree.facts[FIRST_EDGE, game, 0])
    best = first
    best_score = -math.inf
    for edge in range(first, first + int(tree.facts[EDGES, game, 0])):
        if tree.visits[game, edge] == visits:
            found = score(game, edge, of, tree) + tree.gumbels[game, edge - first]
            if found > best_score:
                best, best_score = edge, found
    return best


@inlined
def root_edge(game: int, tree: Tree) -> int:
    """The edge of the root to follow, by sequential halving."""
    moves = min(int(tree.facts[EDGES, game, 0]), tree.considered.shape[0] - 1)
    simulation = int(tree.facts[VISITS, game, 0]) - 1
    return last_edge(game, int(tree.considered[moves, simulation]), tree)


@inlined
def inner_edge(game: int, node: int, tree: Tree) -> int:
    """The edge whose share of the visits lies most below its part of the improved policy."""
    of = improved(game, node, tree)
    first = int(tree.facts[FIRST_EDGE, game, node])
    visits = int(tree.facts[VISITS, game, node])
    best = first
    best_score = -math.inf
    for edge in range(first, first + int(tree.facts[EDGES, game, node])):
        found = share(game, edge, of, tree) - tree.visits[game, edge] / visits
        if found > best_score:
            best, best_score = edge, found
    return best


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
