"""Simple players that others are measured against: a greedy one, and Monte Carlo tree search.

They are meant never to change, so that a score against them means the same next year: no knowledge
of the game beyond a line of arithmetic, no learned weights, nothing shared with the engine. `arena`
plays the matches.
"""

import math
import random
import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nestline import kernel
from nestline.compiled import compiled, inlined
from nestline.engine.choices import draws_by_repetition, moves_of
from nestline.engine.players.player import Player
from nestline.engine.search.engine import Limits, Stop
from nestline.errors import GameError
from nestline.game import Game
from nestline.position import Move, Position, code_of_move
from nestline.rules.law import Law

WON = 10_000
"""The score of a move that wins at once; a win whatever the opponent replies scores one less."""

THREAT_WORTH = 8
"""What `judge` adds per piece in a line that is one short; a visible piece of size n adds n."""

EXPLORATION = math.sqrt(2)
"""The exploration constant of UCT for results between 0 and 1, as in the original paper."""

PLAYOUT_PLIES = 200
"""A random playout that lasts longer counts as a draw."""

TREE_NODES = 1 << 21
"""A full tree, some 60 MB, grows no further; playouts then start from its leaves."""

TREE_PLIES = 256
PLAYOUTS_AT_ONCE = 64
"""Playouts between two looks at the clock; a few milliseconds."""

LOSS, DRAW, WIN = 0.0, 0.5, 1.0
_GOES_ON = -1.0

Words = npt.NDArray[np.int64]


@compiled
def _result(own: int, opp: int, law: Law) -> float:
    """The value of a finished position for the player to move; `_GOES_ON` if it is not finished."""
    state = kernel.outcome(own, opp, law)
    if state == kernel.ONGOING:
        return _GOES_ON
    verdict = kernel.verdict(state)
    return LOSS if verdict > 0 else WIN if verdict < 0 else DRAW


@compiled
def judge(own: int, opp: int, law: Law) -> int:
    """Pieces in lines that are one short, plus the sizes of visible pieces: `own`'s minus
    `opp`'s."""
    own_shown, opp_shown = kernel.visible(own, opp), kernel.visible(opp, own)
    own_threats = kernel.threatening(kernel.squares_of(own_shown), law)
    opp_threats = kernel.threatening(kernel.squares_of(opp_shown), law)
    score = THREAT_WORTH * (kernel.popcount(own_threats) - kernel.popcount(opp_threats))
    for size in range(1, law.sizes + 1):
        own_count = kernel.popcount(kernel.layer(own_shown, size))
        score += size * (own_count - kernel.popcount(kernel.layer(opp_shown, size)))
    return score


@compiled
def _score_finished(result: float) -> int:
    return WON if result == WIN else -WON if result == LOSS else 0


@compiled
def _score_two_plies(
    own: int, opp: int, law: Law, codes: Words, drawn: Words, scores: Words, replies: Words
) -> None:
    """The minimum score after each move and any reply; moves in `drawn` draw by repetition."""
    for index in range(len(codes)):
        child = kernel.play(own, codes[index])
        result = _result(opp, child, law)
        if result != _GOES_ON:
            scores[index] = -_score_finished(result)
            continue
        if drawn[index]:
            scores[index] = 0
            continue
        worst = WON - 1
        for reply in range(kernel.legal_moves(opp, child, law, replies)):
            answer = kernel.play(opp, replies[reply])
            result = _result(child, answer, law)
            if result == _GOES_ON:
                worst = min(worst, judge(child, answer, law))
            else:
                worst = min(worst, _score_finished(result) * (WON - 1) // WON)
        scores[index] = worst


def score_two_plies(position: Position, moves: tuple[Move, ...], drawn: Words) -> Words:
    """The `judge` score of each move for the mover, after the worst reply."""
    codes = np.array([code_of_move(position.rules, move) for move in moves], np.int64)
    scores = np.empty(len(codes), np.int64)
    replies = np.empty(kernel.MAX_MOVES, np.int64)
    _score_two_plies(*position.words, position.rules.law, codes, drawn, scores, replies)
    return scores


def is_decided_soon(position: Position) -> bool:
    """Whether the game is over, or the same player must win it within two plies."""
    moves = position.legal_moves()
    if not moves:
        return True
    scores = score_two_plies(position, moves, np.zeros(len(moves), np.int64))
    return bool(abs(scores.max()) >= WON - 1)


def _drawn(game: Game, moves: tuple[Move, ...]) -> Words:
    return np.array([draws_by_repetition(game, move) for move in moves], np.int64)


class GreedyPlayer(Player):
    """Looks two plies ahead: takes a win, avoids an immediate loss, else follows `judge`."""

    name = "greedy"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        moves = moves_of(game)
        scores = score_two_plies(game.position, moves, _drawn(game, moves))
        best = scores.max()
        equal = [move for move, score in zip(moves, scores, strict=True) if score == best]
        return self._random.choice(equal)


class _Tree(NamedTuple):
    """A Monte Carlo search tree, one array entry per node; the children of a node are adjacent."""

    move: npt.NDArray[np.int16]
    """The move that leads here."""
    child: npt.NDArray[np.int32]
    """The first child; 0 before there are any."""
    children: npt.NDArray[np.int16]
    visits: npt.NDArray[np.int32]
    points: npt.NDArray[np.float64]
    """The sum of results for the player who moved here."""
    end: npt.NDArray[np.float64]
    """The result for the player to move if the game ends here, else `_GOES_ON`."""
    path: npt.NDArray[np.int32]
    """The nodes of the current descent, from the root."""
    room: Words
    """Scratch for the moves of one position."""
    control: Words
    """The number of nodes, and the state of the random number generator."""


_NODES, _CHANCE = range(2)


def _new_tree(nodes: int) -> _Tree:
    return _Tree(
        move=np.zeros(nodes, np.int16),
        child=np.zeros(nodes, np.int32),
        children=np.zeros(nodes, np.int16),
        visits=np.zeros(nodes, np.int32),
        points=np.zeros(nodes, np.float64),
        end=np.zeros(nodes, np.float64),
        path=np.zeros(TREE_PLIES, np.int32),
        room=np.zeros(kernel.MAX_MOVES, np.int64),
        control=np.zeros(2, np.int64),
    )


@compiled
def _chance(control: Words, below: int) -> int:
    """A random number from 0 up to `below`, by the high bits of a linear congruential generator."""
    control[_CHANCE] = control[_CHANCE] * 6364136223846793005 + 1442695040888963407
    high_bits: int = (control[_CHANCE] >> 33) & 0x3FFF_FFFF
    return (high_bits * below) >> 30


@inlined
def _add_children(tree: _Tree, node: int, count: int) -> None:
    """Expand a node with the moves in `room`, in random order."""
    room, control = tree.room, tree.control
    first = control[_NODES]
    control[_NODES] += count
    tree.child[node] = first
    tree.children[node] = count
    for index in range(count):
        other = index + _chance(control, count - index)
        room[index], room[other] = room[other], room[index]
        new = first + index
        tree.move[new] = room[index]
        tree.child[new] = 0
        tree.children[new] = 0
        tree.visits[new] = 0
        tree.points[new] = 0.0
        tree.end[new] = _GOES_ON


@inlined
def _select(tree: _Tree, node: int) -> int:
    """The child with the highest upper confidence bound; unvisited ones come first."""
    first, log_visits = tree.child[node], math.log(tree.visits[node] + 1)
    best, highest = first, -1.0
    for child in range(first, first + tree.children[node]):
        visits = tree.visits[child]
        if visits == 0:
            return child
        bound = tree.points[child] / visits + EXPLORATION * math.sqrt(log_visits / visits)
        if bound > highest:
            best, highest = child, bound
    return int(best)


@inlined
def _play_out(own: int, opp: int, law: Law, room: Words, control: Words) -> float:
    """The result of a random playout for the player to move."""
    for ply in range(PLAYOUT_PLIES):
        count = kernel.legal_moves(own, opp, law, room)
        own, opp = opp, kernel.play(own, room[_chance(control, count)])
        result = _result(own, opp, law)
        if result != _GOES_ON:
            return result if ply & 1 else 1.0 - result
    return DRAW


@inlined
def _run(own: int, opp: int, law: Law, tree: _Tree, playouts: int) -> None:
    """Run this many playouts from an expanded root: select, expand, play out, back up."""
    for _ in range(playouts):
        mine, theirs, node, depth = own, opp, 0, 0
        tree.path[0] = 0
        result = _GOES_ON
        while result == _GOES_ON:
            if tree.child[node] == 0:
                if tree.visits[node] == 0 or depth == TREE_PLIES - 1:
                    result = _play_out(mine, theirs, law, tree.room, tree.control)
                    break
                if tree.control[_NODES] + kernel.MAX_MOVES > len(tree.move):
                    result = _play_out(mine, theirs, law, tree.room, tree.control)
                    break
                count = kernel.legal_moves(mine, theirs, law, tree.room)
                _add_children(tree, node, count)
            node = _select(tree, node)
            mine, theirs = theirs, kernel.play(mine, tree.move[node])
            depth += 1
            tree.path[depth] = node
            if tree.visits[node] == 0 and tree.end[node] == _GOES_ON:
                tree.end[node] = _result(mine, theirs, law)
            result = tree.end[node]
        for ply in range(depth, -1, -1):
            result = 1.0 - result
            tree.visits[tree.path[ply]] += 1
            tree.points[tree.path[ply]] += result


@inlined
def _begin(tree: _Tree, count: int, seed: int) -> None:
    """A tree of a root and its children, whose moves are in `room`."""
    tree.control[_NODES] = 1
    tree.control[_CHANCE] = seed
    tree.visits[0] = 0
    tree.points[0] = 0.0
    tree.end[0] = _GOES_ON
    _add_children(tree, 0, count)


class MonteCarloPlayer(Player):
    """Plain UCT: random playouts, no evaluation, no transposition table; plays the most visited
    move.

    The limit `nodes` is a number of playouts, and makes a seeded player reproducible.
    """

    name = "mcts"

    def __init__(
        self, limits: Limits, seed: int | None = None, *, tree_nodes: int = TREE_NODES
    ) -> None:
        if limits.depth is not None or (limits.seconds is None and limits.nodes is None):
            raise GameError(
                "Monte Carlo search takes a limit of time or of nodes (random games), not of depth"
            )
        self.limits = limits
        self._random = random.Random(seed)
        self._tree_nodes = max(tree_nodes, 2 * kernel.MAX_MOVES)
        self._tree: _Tree | None = None

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        moves = moves_of(game)
        if len(moves) == 1:
            return moves[0]
        tree = self._tree = self._tree or _new_tree(self._tree_nodes)
        by_code = {code_of_move(game.rules, move): move for move in moves}
        tree.room[: len(moves)] = list(by_code)
        _begin(tree, len(moves), self._random.getrandbits(62))
        children = slice(int(tree.child[0]), int(tree.child[0]) + len(moves))
        for child in range(children.start, children.stop):
            if draws_by_repetition(game, by_code[int(tree.move[child])]):
                tree.end[child] = DRAW
        self._grow(game.position, tree, stop or Stop())
        best = children.start + int(np.argmax(tree.visits[children]))
        return by_code[int(tree.move[best])]

    def _grow(self, position: Position, tree: _Tree, stop: Stop) -> None:
        own, opp = position.words
        left = self.limits.nodes if self.limits.nodes is not None else math.inf
        until = time.perf_counter() + (self.limits.seconds or math.inf)
        while left > 0:
            playouts = int(min(left, PLAYOUTS_AT_ONCE))
            _run(own, opp, position.rules.law, tree, playouts)
            left -= playouts
            if stop.is_asked or time.perf_counter() >= until:
                break
