"""A search tree grown by many threads: the lanes of one block share the edges of each node.

A position has dozens of moves, so a game with a warp of its own reads the edges of a node in a few
wide accesses, where a single thread would make hundreds of narrow ones. What each lane does with
its share is in `growing` and `gumbel`, the same source as on the CPU; here the shares are combined.
All lanes of a block run every function together. Shuffles combine within a warp; numba's simulator
has none, so there it goes through shared memory, with as many lanes as the block has.
"""

from typing import Any

import numba

from nestline import kernel
from nestline.action_space import source_count
from nestline.envs.batch.stepping import State
from nestline.envs.tree import growing, gumbel
from nestline.envs.tree.arrays import (
    DEPTH,
    EDGES,
    EDGES_USED,
    END,
    LEAF,
    NO_NODE,
    Tree,
)
from nestline.gpu import cuda, device_function
from nestline.rules.law import Law

LANES = 32
"""A warp."""

MOST_SOURCES = 20
"""Of moves: four sizes and 16 squares."""

_config: Any = numba.config
_IN_SIMULATOR = bool(_config.ENABLE_CUDASIM)
_EVERYONE = 0xFFFF_FFFF


@device_function
def _shared_sum(number: float) -> float:
    numbers = cuda.shared.array(LANES, numba.float64)
    numbers[cuda.threadIdx.x] = number
    cuda.syncthreads()
    total = 0.0
    for lane in range(cuda.blockDim.x):
        total += numbers[lane]
    cuda.syncthreads()
    return total


@device_function
def _shared_best(score: float, edge: int) -> tuple[float, int]:
    scores = cuda.shared.array(LANES, numba.float64)
    edges = cuda.shared.array(LANES, numba.int64)
    scores[cuda.threadIdx.x] = score
    edges[cuda.threadIdx.x] = edge
    cuda.syncthreads()
    best_score, best = scores[0], edges[0]
    for lane in range(1, cuda.blockDim.x):
        if scores[lane] > best_score or (scores[lane] == best_score and edges[lane] < best):
            best_score, best = scores[lane], edges[lane]
    cuda.syncthreads()
    return best_score, best


@device_function
def _shuffled_sum(number: float) -> float:
    distance = LANES // 2
    while distance:
        number += cuda.shfl_xor_sync(_EVERYONE, number, distance)
        distance //= 2
    return number


@device_function
def _shuffled_best(score: float, edge: int) -> tuple[float, int]:
    distance = LANES // 2
    while distance:
        other_score = cuda.shfl_xor_sync(_EVERYONE, score, distance)
        other = cuda.shfl_xor_sync(_EVERYONE, edge, distance)
        if other_score > score or (other_score == score and other < edge):
            score, edge = other_score, other
        distance //= 2
    return score, edge


_sum = _shared_sum if _IN_SIMULATOR else _shuffled_sum
_best = _shared_best if _IN_SIMULATOR else _shuffled_best


@device_function
def _scale(game: int, node: int, tree: Tree) -> gumbel.Scale:
    found = gumbel.sums_of(game, node, tree, cuda.threadIdx.x, cuda.blockDim.x)
    most = _best(float(found.most), 0)[0]
    sums = gumbel.Sums(
        int(_sum(float(found.visits))), int(most), _sum(found.priors), _sum(found.weighted)
    )
    return gumbel.scale_of(game, node, sums, tree)


@device_function
def _chosen_edge(game: int, node: int, depth: int, exploration: float, tree: Tree) -> int:
    """The edge to follow, the same in all lanes."""
    lane, lanes = cuda.threadIdx.x, cuda.blockDim.x
    if not tree.gumbels.shape[0]:
        score, edge = growing.best_edge(game, node, exploration, tree, lane, lanes)
        return int(_best(score, edge)[1])
    scale = _scale(game, node, tree)
    if depth == 0:
        wanted = gumbel.wanted_visits(game, tree)
        score, edge = gumbel.best_at_root(game, wanted, scale, tree, lane, lanes)
        return int(_best(score, edge)[1])
    highest = _best(gumbel.highest_score(game, node, scale, tree, lane, lanes), 0)[0]
    total = _sum(gumbel.exponentials(game, node, scale, highest, tree, lane, lanes))
    score, edge = gumbel.best_below(game, node, scale, highest, total, tree, lane, lanes)
    return int(_best(score, edge)[1])


@device_function
def descend(
    game: int, exploration: float, law: Law, repetition: int, state: State, tree: Tree
) -> None:
    """`growing.descend` by all lanes."""
    lane, lanes = cuda.threadIdx.x, cuda.blockDim.x
    node = 0
    depth = 0
    if lane == 0:
        tree.path_nodes[game, 0] = 0
    while tree.facts[EDGES, game, node]:
        edge = _chosen_edge(game, node, depth, exploration, tree)
        depth += 1
        is_new = tree.children[game, edge] == NO_NODE
        cuda.syncthreads()  # every lane has looked before one of them makes the node
        if lane == 0:
            tree.path_edges[game, depth - 1] = edge
            if is_new:
                growing.add_node(game, node, edge, tree)
            tree.path_nodes[game, depth] = tree.children[game, edge]
        cuda.syncthreads()
        node = int(tree.children[game, edge])
        if is_new:
            occurrences = 1
            if repetition:
                found = growing.earlier_occurrences(game, node, depth, state, tree, lane, lanes)
                occurrences += int(_sum(float(found)))
            if lane == 0:
                growing.judge(game, node, depth, occurrences, law, repetition, state, tree)
            cuda.syncthreads()
    if lane == 0:
        tree.cursors[DEPTH, game] = depth
        tree.cursors[LEAF, game] = node
    cuda.syncthreads()


@device_function
def _write_moves(game: int, leaf: int, first: int, law: Law, tree: Tree) -> int:
    """Write the codes of the legal moves, in ascending order; return how many.

    Each lane writes the moves of some sources.
    """
    lane, lanes = cuda.threadIdx.x, cuda.blockDim.x
    targets = cuda.shared.array(MOST_SOURCES, numba.int64)
    own = int(tree.words[0, game, leaf])
    opp = int(tree.words[1, game, leaf])
    shown = kernel.movable(own, opp, law)
    free = kernel.landings(own, opp, law)
    placing = kernel.placing_squares(own, opp, law)
    sources = source_count(law)
    for index in range(lane, sources, lanes):
        source = index if index < law.sizes else index - law.sizes + kernel.FIRST_BOARD_SOURCE
        targets[index] = kernel.targets_of(source, own, shown, free, placing, law)
    cuda.syncthreads()
    count = 0
    for index in range(sources):
        if index % lanes == lane:
            source = index if index < law.sizes else index - law.sizes + kernel.FIRST_BOARD_SOURCE
            left = int(targets[index])
            edge = first + count
            while left:
                target = left & -left
                left ^= target
                tree.codes[game, edge] = source * 16 + kernel.bit_index(target)
                edge += 1
        count += kernel.popcount(int(targets[index]))
    cuda.syncthreads()
    return count


@device_function
def grow(game: int, law: Law, values: Any, policies: Any, tree: Tree) -> None:
    """`growing.grow` by all lanes."""
    lane, lanes = cuda.threadIdx.x, cuda.blockDim.x
    leaf = int(tree.cursors[LEAF, game])
    value = growing.value_of_leaf(game, leaf, values, tree)
    if tree.facts[END, game, leaf] == kernel.ONGOING:
        first = int(tree.cursors[EDGES_USED, game])
        count = _write_moves(game, leaf, first, law, tree)
        share = growing.policy_sum(game, first, count, law, policies, tree, lane, lanes)
        total = _sum(share)
        growing.begin_edges(game, first, count, total, law, policies, tree, lane, lanes)
        if lane == 0:
            tree.values[game, leaf] = value
            growing.own_edges(game, leaf, first, count, tree)
    growing.carry_up(game, leaf, value, tree, lane, lanes)
    cuda.syncthreads()
