"""The arrays of search trees, many side by side, and of what is found; `growing` fills them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nestline import kernel
from nestline.rules.law import Law

FIRST_EDGE, EDGES, VISITS, END, SINCE, OCCURRENCES, FACTS = range(7)
"""Rows of the facts about nodes, and their number. EDGES: 0 before a node has been evaluated."""

NODES_USED, EDGES_USED, DEPTH, LEAF, CURSORS = range(5)
"""Rows of the cursors of a tree, and their number. DEPTH and LEAF: of the present path."""

NO_NODE = -1


class Tree(NamedTuple):
    """The trees of many games; NumPy arrays, or arrays on a GPU."""

    words: Any
    """(2, games, nodes) int64: the words of the player to move and of the other."""
    facts: Any
    """(FACTS, games, nodes) int32."""
    codes: Any
    """(games, edges) int16: the kernel's codes of the moves."""
    children: Any
    """(games, edges) int32: the node that an edge leads to, NO_NODE before the first visit."""
    visits: Any
    """(games, edges) int32."""
    totals: Any
    """(games, edges) float32: the sum of the values found behind an edge."""
    priors: Any
    """(games, edges) float32; their logarithms for Gumbel's method."""
    values: Any
    """(games, nodes) float32: what the evaluator said."""
    gumbels: Any
    """(games, moves) float32: the noise of the root's moves; no rows without Gumbel's method."""
    considered: Any
    """(moves, simulations) int32: see `considered_visits`."""
    path_nodes: Any
    """(games, nodes + 1) int32: the nodes from the root to the leaf."""
    path_edges: Any
    """(games, nodes) int32: the edges between them."""
    cursors: Any
    """(CURSORS, games) int32."""


class Found(NamedTuple):
    """What a search found in each game."""

    actions: Any
    """(games,) int64: the most visited action; -1 where the game is over."""
    visits: Any
    """(games, actions) int32: how often each action was tried at the root."""
    policies: Any
    """(games, actions) float32: the shares of the visits, from which a network learns."""
    values: Any
    """(games,) float32: the mean of what was found, for the player to move."""
    action_values: Any
    """(games, actions) float32: the same for each action; 0 where it was not tried."""


def room_for_found(games: int, actions: int, array: Callable[[Any, Any], Any] = np.empty) -> Found:
    """Arrays for what is found; `array` makes one on the right device."""
    return Found(
        actions=array(games, np.int64),
        visits=array((games, actions), np.int32),
        policies=array((games, actions), np.float32),
        values=array(games, np.float32),
        action_values=array((games, actions), np.float32),
    )


def most_moves(law: Law) -> int:
    """A bound for the legal moves of any position: each size to each square, each piece moved."""
    squares = law.board * law.board
    movers = min(kernel.pieces_each(law), squares) * law.moving
    return min(kernel.MAX_MOVES, law.sizes * squares + movers * (squares - 1 + law.same_square))


def room_for_trees(
    games: int, simulations: int, law: Law, gumbel: bool,
    array: Callable[[Any, Any], Any] = np.empty,
) -> Tree:  # fmt: skip
    """Arrays for trees of so many simulations; `array` makes one on the right device."""
    nodes = simulations + 1
    edges = nodes * most_moves(law)
    return Tree(
        words=array((2, games, nodes), np.int64),
        facts=array((FACTS, games, nodes), np.int32),
        codes=array((games, edges), np.int16),
        children=array((games, edges), np.int32),
        visits=array((games, edges), np.int32),
        totals=array((games, edges), np.float32),
        priors=array((games, edges), np.float32),
        values=array((games, nodes), np.float32),
        gumbels=array((games, most_moves(law)) if gumbel else (0, 0), np.float32),
        considered=array((0, 0), np.int32),
        path_nodes=array((games, nodes + 1), np.int32),
        path_edges=array((games, nodes), np.int32),
        cursors=array((CURSORS, games), np.int32),
    )
