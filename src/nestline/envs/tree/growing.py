"""One search tree of many: walk down to a leaf, grow it, carry its value back up.

Every function works on the tree of one game in a bundle of arrays and is compiled for the CPU and,
called from CUDA kernels, for a GPU, like the games in `stepping`; `search` runs them. A node
is a position; its edges, one for each legal move, lie side by side. A node belongs to one path, so
repetitions and the ply limit are exact: the history of the game at the root counts, too. Values are
those of the player to move at a node; an edge's value is that of the player who chooses it. Edges
are chosen by PUCT, or as `gumbel` says.

On the CPU a game has one lane. On a GPU its many lanes share the edges of a node: functions that
can do a share of their work take `lane` and `lanes`, and the module `lanes` combines the shares.
"""

import math

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.action_space import action_of_code, write_mask
from nestline.compiled import inlined
from nestline.envs.batch import stepping
from nestline.envs.batch.stepping import State
from nestline.envs.tree import gumbel
from nestline.envs.tree.arrays import (
    DEPTH,
    EDGES,
    EDGES_USED,
    END,
    FIRST_EDGE,
    LEAF,
    NO_NODE,
    NODES_USED,
    OCCURRENCES,
    SINCE,
    VISITS,
    Found,
    Tree,
)
from nestline.observations import write_observation
from nestline.rules.law import Law


@inlined
def plant(game: int, state: State, tree: Tree) -> None:
    """Make a game's present position the root of an empty tree."""
    tree.words[0, game, 0] = state.words[0, game]
    tree.words[1, game, 0] = state.words[1, game]
    tree.facts[FIRST_EDGE, game, 0] = 0
    tree.facts[EDGES, game, 0] = 0
    tree.facts[VISITS, game, 0] = 0
    tree.facts[END, game, 0] = state.counters[stepping.END, game]
    tree.facts[SINCE, game, 0] = state.counters[stepping.SINCE, game]
    tree.facts[OCCURRENCES, game, 0] = state.counters[stepping.OCCURRENCES, game]
    tree.cursors[NODES_USED, game] = 1
    tree.cursors[EDGES_USED, game] = 0


@inlined
def best_edge(
    game: int, node: int, exploration: float, tree: Tree, lane: int, lanes: int
) -> tuple[float, int]:
    """Of a lane's share, the largest sum of value and exploration bonus, and its edge.

    The first of equal ones.
    """
    first = int(tree.facts[FIRST_EDGE, game, node])
    reach = exploration * math.sqrt(tree.facts[VISITS, game, node])
    best = first
    best_score = -math.inf
    for edge in range(first + lane, first + int(tree.facts[EDGES, game, node]), lanes):
        visits = tree.visits[game, edge]
        value = tree.totals[game, edge] / visits if visits else 0.0
        score = value + reach * tree.priors[game, edge] / (1 + visits)
        if score > best_score:
            best, best_score = edge, score
    return best_score, best


@inlined
def add_node(game: int, parent: int, edge: int, tree: Tree) -> None:
    """Make a new node behind an edge; `judge` completes it."""
    node = int(tree.cursors[NODES_USED, game])
    tree.cursors[NODES_USED, game] = node + 1
    tree.children[game, edge] = node
    move = int(tree.codes[game, edge])
    tree.words[0, game, node] = tree.words[1, game, parent]
    tree.words[1, game, node] = kernel.play(int(tree.words[0, game, parent]), move)
    since = 0
    if move >= kernel.FIRST_BOARD_SOURCE * 16:
        since = int(tree.facts[SINCE, game, parent]) + 1
    tree.facts[SINCE, game, node] = since
    tree.facts[FIRST_EDGE, game, node] = 0
    tree.facts[EDGES, game, node] = 0
    tree.facts[VISITS, game, node] = 0


@inlined
def earlier_occurrences(
    game: int, node: int, depth: int, state: State, tree: Tree, lane: int, lanes: int
) -> int:
    """How often a new node's position has occurred before, on the path and before the root.

    A lane counts its share of the plies since the last placement.
    """
    own = tree.words[0, game, node]
    opp = tree.words[1, game, node]
    since_root = int(state.counters[stepping.SINCE, game])
    found = 0
    back = 2 + 2 * lane  # the same player is to move every other ply
    while back <= tree.facts[SINCE, game, node]:
        if back <= depth:
            earlier = tree.path_nodes[game, depth - back]
            same = tree.words[0, game, earlier] == own and tree.words[1, game, earlier] == opp
        else:
            slot = since_root - (back - depth)
            same = state.history[0, slot, game] == own and state.history[1, slot, game] == opp
        found += same
        back += 2 * lanes
    return found


@inlined
def judge(
    game: int, node: int, depth: int, occurrences: int, law: Law, repetition: int, state: State,
    tree: Tree,
) -> None:  # fmt: skip
    """Complete a new node at this depth: is it the end of the game?"""
    tree.facts[OCCURRENCES, game, node] = occurrences
    ply = int(state.counters[stepping.PLY, game]) + depth
    limit = state.settings[stepping.PLY_LIMIT]
    own = int(tree.words[0, game, node])
    opp = int(tree.words[1, game, node])
    tree.facts[END, game, node] = stepping.end_of(
        own, opp, ply, occurrences, law, repetition, limit
    )


@inlined
def descend(
    game: int, exploration: float, law: Law, repetition: int, state: State, tree: Tree
) -> None:
    """Walk from the root to a node that has not been evaluated or is the end of the game."""
    node = 0
    depth = 0
    tree.path_nodes[game, 0] = 0
    while tree.facts[EDGES, game, node]:
        if not tree.gumbels.shape[0]:
            edge = best_edge(game, node, exploration, tree, 0, 1)[1]
        elif depth == 0:
            edge = gumbel.root_edge(game, gumbel.wanted_visits(game, tree), tree)
        else:
            edge = gumbel.inner_edge(game, node, tree)
        tree.path_edges[game, depth] = edge
        depth += 1
        is_new = tree.children[game, edge] == NO_NODE
        if is_new:
            add_node(game, node, edge, tree)
        node = int(tree.children[game, edge])
        if is_new:
            occurrences = 1
            if repetition:
                occurrences += earlier_occurrences(game, node, depth, state, tree, 0, 1)
            judge(game, node, depth, occurrences, law, repetition, state, tree)
        tree.path_nodes[game, depth] = node
    tree.cursors[DEPTH, game] = depth
    tree.cursors[LEAF, game] = node


@inlined
def show_leaf(
    game: int, law: Law, state: State, tree: Tree, planes: NDArray[np.int8],
    masks: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write what the evaluator gets: the leaf's observation and its legal actions."""
    leaf = tree.cursors[LEAF, game]
    own = int(tree.words[0, game, leaf])
    opp = int(tree.words[1, game, leaf])
    occurrences = int(tree.facts[OCCURRENCES, game, leaf])
    hide_covered = state.settings[stepping.HIDE_COVERED]
    write_observation(own, opp, occurrences, law, hide_covered, game, planes)
    if tree.facts[END, game, leaf] == kernel.ONGOING:
        write_mask(own, opp, law, game, masks)
    else:
        for action in range(masks.shape[1]):
            masks[game, action] = False


@inlined
def policy_sum(
    game: int, first: int, count: int, law: Law, policies: NDArray[np.float32], tree: Tree,
    lane: int, lanes: int,
) -> float:  # fmt: skip
    """The sum of a row of the policies over a lane's share of the edges; 0 without rows."""
    total = 0.0
    if policies.shape[0]:
        for edge in range(first + lane, first + count, lanes):
            total += policies[game, action_of_code(int(tree.codes[game, edge]), law)]
    return total


@inlined
def begin_edges(
    game: int, first: int, count: int, total: float, law: Law, policies: NDArray[np.float32],
    tree: Tree, lane: int, lanes: int,
) -> None:  # fmt: skip
    """Begin a lane's share of new edges, whose codes are there.

    Priors are in proportion to a row of the policies and its sum, or all the same.
    """
    for edge in range(first + lane, first + count, lanes):
        prior = 1.0 / count
        if total > 0:
            prior = policies[game, action_of_code(int(tree.codes[game, edge]), law)] / total
        tree.priors[game, edge] = gumbel.log_prior(prior) if tree.gumbels.shape[0] else prior
        tree.children[game, edge] = NO_NODE
        tree.visits[game, edge] = 0
        tree.totals[game, edge] = 0.0


@inlined
def own_edges(game: int, leaf: int, first: int, count: int, tree: Tree) -> None:
    """Give a node its edges."""
    tree.facts[FIRST_EDGE, game, leaf] = first
    tree.facts[EDGES, game, leaf] = count
    tree.cursors[EDGES_USED, game] = first + count


@inlined
def _expand(game: int, leaf: int, law: Law, policies: NDArray[np.float32], tree: Tree) -> None:
    first = int(tree.cursors[EDGES_USED, game])
    own = int(tree.words[0, game, leaf])
    opp = int(tree.words[1, game, leaf])
    count = kernel.legal_moves(own, opp, law, tree.codes[game, first:])
    total = policy_sum(game, first, count, law, policies, tree, 0, 1)
    begin_edges(game, first, count, total, law, policies, tree, 0, 1)
    own_edges(game, leaf, first, count, tree)


@inlined
def value_of_leaf(game: int, leaf: int, values: NDArray[np.float32], tree: Tree) -> float:
    """The result at the end of a game, the evaluator's value, or 0 without one."""
    end = int(tree.facts[END, game, leaf])
    if end != kernel.ONGOING:
        return -float(stepping.reward_of(end))
    return float(values[game]) if values.shape[0] else 0.0


@inlined
def carry_up(game: int, leaf: int, value: float, tree: Tree, lane: int, lanes: int) -> None:
    """Add the value of a leaf to a lane's share of the path."""
    depth = int(tree.cursors[DEPTH, game])
    if lane == 0:
        tree.facts[VISITS, game, leaf] += 1
    for place in range(lane, depth, lanes):
        edge = tree.path_edges[game, place]
        tree.visits[game, edge] += 1
        tree.totals[game, edge] += -value if (depth - place) % 2 else value
        tree.facts[VISITS, game, tree.path_nodes[game, place]] += 1


@inlined
def grow(
    game: int, law: Law, values: NDArray[np.float32], policies: NDArray[np.float32], tree: Tree
) -> None:
    """Expand the leaf and carry its value, the evaluator's or the result, up the path.

    Without rows of values and policies it is 0, and all moves are alike.
    """
    leaf = int(tree.cursors[LEAF, game])
    value = value_of_leaf(game, leaf, values, tree)
    if tree.facts[END, game, leaf] == kernel.ONGOING:
        tree.values[game, leaf] = value
        _expand(game, leaf, law, policies, tree)
    carry_up(game, leaf, value, tree, 0, 1)


@inlined
def read_root(game: int, law: Law, tree: Tree, found: Found) -> None:
    """Write what was found at a root into a game's rows."""
    for action in range(found.visits.shape[1]):
        found.visits[game, action] = 0
        found.policies[game, action] = 0
        found.action_values[game, action] = 0
    first = tree.facts[FIRST_EDGE, game, 0]
    stop = first + tree.facts[EDGES, game, 0]
    best = -1
    most, total, value = 0, 0, 0.0
    for edge in range(first, stop):
        visits = tree.visits[game, edge]
        action = action_of_code(int(tree.codes[game, edge]), law)
        found.visits[game, action] = visits
        if visits:
            found.action_values[game, action] = tree.totals[game, edge] / visits
        if visits > most:
            best, most = action, visits
        total += visits
        value += tree.totals[game, edge]
    found.actions[game] = best
    found.values[game] = value / total if total else 0.0
    if not total:
        return
    if tree.gumbels.shape[0]:
        chosen = gumbel.root_edge(game, most, tree)
        found.actions[game] = action_of_code(int(tree.codes[game, chosen]), law)
        scale = gumbel.scale_of(game, 0, gumbel.sums_of(game, 0, tree, 0, 1), tree)
        highest = gumbel.highest_score(game, 0, scale, tree, 0, 1)
        exponentials = gumbel.exponentials(game, 0, scale, highest, tree, 0, 1)
    for edge in range(first, stop):
        action = action_of_code(int(tree.codes[game, edge]), law)
        if tree.gumbels.shape[0]:
            part = math.exp(gumbel.score(game, edge, scale, tree) - highest)
            found.policies[game, action] = part / exponentials
        else:
            found.policies[game, action] = tree.visits[game, edge] / total
