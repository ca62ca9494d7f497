"""Alpha-beta search on the kernel: how good is a position, and which move makes it so.

Compiled, without Python in the loop. Scores are seen from the player to move: `WIN` minus the
number of plies for a forced win, its negative for a forced loss, and otherwise a small number
from `evaluate`. Full width, so that a search of depth d finds every win within d plies.
Repetitions are left to the caller, who knows the game: a value that depends on the path to a
position would poison the table. Levels, time and randomness are `players`' business.
"""

import numpy as np
import numpy.typing as npt

from nestline import kernel
from nestline.compiled import compiled
from nestline.rules.law import Law

WIN = 10_000
"""A win now; a forced win in n plies scores `WIN - n`."""

FORCED = 9_000
"""Scores beyond this, in either direction, are forced wins or losses."""

MAX_DEPTH = 60

_EXACT, _AT_LEAST, _AT_MOST = range(3)
_NO_MOVE = kernel.MAX_MOVES
_NODES, _STOP = range(2)

Words = npt.NDArray[np.int64]


class Memory:
    """What a search remembers: the table of positions and the history of good moves."""

    def __init__(self, bits: int = 18) -> None:
        size = 1 << bits
        self.keys = np.zeros((size, 2), np.int64)
        self.entries = np.full(size, -1, np.int64)
        self.history = np.zeros((2, kernel.MAX_MOVES), np.int64)
        self.moves = np.zeros((MAX_DEPTH + 1, kernel.MAX_MOVES), np.int64)
        self.control = np.zeros(2, np.int64)

    @property
    def nodes(self) -> int:
        """Positions looked at since the memory was made."""
        return int(self.control[_NODES])

    def stop(self) -> None:
        """Make a running search return as soon as possible; safe to call from another thread."""
        self.control[_STOP] = 1

    def clear_stop(self) -> None:
        self.control[_STOP] = 0

    @property
    def stopped(self) -> bool:
        return bool(self.control[_STOP])


@compiled
def evaluate(own: int, opp: int, law: Law) -> int:
    """A rough judgement: lines that lack one piece, and large pieces in sight."""
    own_shown, opp_shown = kernel.visible(own, opp), kernel.visible(opp, own)
    own_squares, opp_squares = kernel.squares_of(own_shown), kernel.squares_of(opp_shown)
    score = 8 * kernel.popcount(kernel.threatening(own_squares, law))
    score -= 8 * kernel.popcount(kernel.threatening(opp_squares, law))
    for size in range(1, law.sizes + 1):
        own_count = kernel.popcount(kernel.layer(own_shown, size))
        opp_count = kernel.popcount(kernel.layer(opp_shown, size))
        score += (2 + size) * (own_count - opp_count)
    return score


@compiled
def _value_if_finished(own: int, opp: int, law: Law, ply: int) -> int:
    """The score of a position that has ended, for the player to move; `WIN + 1` if it has not."""
    state = kernel.outcome(own, opp, law)
    if state == kernel.ONGOING:
        return WIN + 1
    if state == kernel.REVEAL:
        return WIN - ply
    if state == kernel.LINE or state == kernel.NO_MOVE_LOSES:
        return ply - WIN
    return 0


@compiled
def _slot(own: int, opp: int, size: int) -> int:
    mixed = own * 0x1E3779B97F4A7C15 + opp * 0x42B2AE3D27D4EB4F
    return (mixed ^ (mixed >> 29) ^ (mixed >> 43)) & (size - 1)


@compiled
def _pack(score: int, depth: int, bound: int, move: int) -> int:
    return (((score + 2 * WIN) * 64 + depth) * 4 + bound) * 512 + move


@compiled
def _order(moves: Words, count: int, best: int, history: Words) -> None:
    """Sort moves in place: the table's move first, then by how often they were good."""
    for index in range(1, count):
        move = moves[index]
        weight = 1 << 60 if move == best else history[move]
        place = index
        while place > 0:
            before = moves[place - 1]
            if before == best or history[before] >= weight:
                break
            moves[place] = before
            place -= 1
        moves[place] = move


@compiled
def search(
    own: int,
    opp: int,
    law: Law,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    keys: Words,
    entries: Words,
    history: Words,
    moves: Words,
    control: Words,
) -> int:
    """The score of a position that has not ended, exact if it lies between alpha and beta.

    The value is meaningless once the search was stopped. `moves` is room, one row per ply.
    """
    control[_NODES] += 1
    if depth == 0:
        return evaluate(own, opp, law)
    slot = _slot(own, opp, len(entries))
    best_move = _NO_MOVE
    if keys[slot, 0] == own and keys[slot, 1] == opp and entries[slot] >= 0:
        entry = entries[slot]
        best_move = entry & 511
        bound = (entry >> 9) & 3
        known_depth = (entry >> 11) & 63
        known: int = (entry >> 17) - 2 * WIN
        # Distances in the table count from its position, in the search from the root.
        if known > FORCED:
            known -= ply
        elif known < -FORCED:
            known += ply
        if known_depth >= depth and (
            bound == _EXACT
            or (bound == _AT_LEAST and known >= beta)
            or (bound == _AT_MOST and known <= alpha)
        ):
            return known
    row = moves[ply]
    count = kernel.legal_moves(own, opp, law, row)
    side = ply & 1
    for index in range(count):
        child = kernel.play(own, row[index])
        if kernel.decision(opp, child, law) == kernel.LINE:
            return WIN - ply - 1
    _order(row, count, best_move, history[side])
    best = -WIN
    lower = alpha
    for index in range(count):
        move = row[index]
        child = kernel.play(own, move)
        score = -_value_if_finished(opp, child, law, ply + 1)
        if score < -WIN:
            score = -search(
                opp, child, law, depth - 1, ply + 1, -beta, -max(lower, best),
                keys, entries, history, moves, control,
            )  # fmt: skip
            if control[_STOP]:
                return 0
        if score > best:
            best = score
            best_move = move
            if best >= beta:
                history[side, move] += depth * depth
                break
    bound = _EXACT
    if best >= beta:
        bound = _AT_LEAST
    elif best <= lower:
        bound = _AT_MOST
    stored = best
    if stored > FORCED:
        stored += ply
    elif stored < -FORCED:
        stored -= ply
    keys[slot, 0] = own
    keys[slot, 1] = opp
    entries[slot] = _pack(stored, depth, bound, best_move)
    return best


@compiled
def search_root(
    own: int,
    opp: int,
    law: Law,
    depth: int,
    root_moves: Words,
    drawn: Words,
    scores: Words,
    keys: Words,
    entries: Words,
    history: Words,
    moves: Words,
    control: Words,
) -> int:
    """Search each root move to this depth; return the index of the best one, or -1 if stopped.

    Moves with a mark in `drawn` end the game as a draw by its history. `scores` gets the score of
    the best move and upper bounds for those not better.
    """
    best = -2 * WIN
    best_index = -1
    for index in range(len(root_moves)):
        child = kernel.play(own, root_moves[index])
        score = -_value_if_finished(opp, child, law, 1)
        if score < -WIN and drawn[index]:
            score = 0
        if score < -WIN:
            if depth == 1:
                score = -evaluate(opp, child, law)
            else:
                # Typed like the recursive call: a second, literal signature of a function that
                # calls itself crashes when numba loads it from its cache (numba issue 6061).
                score = -search(
                    opp, child, law, depth - 1, int(np.int64(1)), int(np.int64(-2 * WIN)), -best,
                    keys, entries, history, moves, control,
                )  # fmt: skip
                if control[_STOP]:
                    return -1
        scores[index] = score
        if score > best:
            best = score
            best_index = index
    return best_index
