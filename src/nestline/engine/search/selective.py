"""Selective search: which positions are cut off early, and which moves are skipped or reduced.

A position of 4x4 has some eighty moves, and most of them change little. So the search trusts the
static score where it is far from the window, and searches late moves less deeply. It does neither
under a threat, nor where a forced result is at stake: forced scores are never guessed. Margins are
in hundredths of a logit, and each was kept because games were won with it.
"""

from nestline.compiled import inlined

STANDING_DEPTH = 4
STANDING_MARGIN = 40
"""Reverse futility pruning: up to this depth, a static score that exceeds beta by this much for
each ply stands."""

NULL_MOVE_DEPTH = 3
NULL_MOVE_REDUCTION = 2
"""Null move pruning: from this depth on, a player who is above beta passes; the opponent's best
answer is searched this much less deeply, and less by another ply for every four."""

FRONTIER_MARGIN = 80
"""Futility pruning one ply from the end: below alpha by this much, only moves that make a threat
are tried."""

FUTILITY_DEPTH = 3
FUTILITY_MARGIN = 50
"""Futility pruning up to this depth: a quiet move is skipped if the static score after it is below
alpha by this much for each further ply."""

REDUCED_DEPTH = 3
FIRST_REDUCED = 2
"""Late move reductions: from this depth on, and from this move on."""

GUESSED_DEPTH = 4
"""Internal iterative reductions: from this depth on, a position without a move in the transposition
table is searched one ply less deeply."""


@inlined
def stands(static: int, depth: int, beta: int) -> bool:
    """Whether the static score is so far above beta that it needs no search."""
    return depth <= STANDING_DEPTH and static - STANDING_MARGIN * depth >= beta


@inlined
def depth_after_passing(depth: int) -> int:
    """How deep the opponent's answers to a null move are searched."""
    return max(depth - 1 - NULL_MOVE_REDUCTION - depth // 4, 1)


@inlined
def futility_bound(static_after: int, depth: int) -> int:
    """The most that a quiet move can reach, by the static score after it."""
    return static_after + FUTILITY_MARGIN * (depth - 1)


@inlined
def _logarithm(number: int) -> int:
    """The natural logarithm in parts of 256, linear between powers of two."""
    whole = 0
    while number >> whole > 1:
        whole += 1
    return ((whole << 8) + ((number << 8) >> whole) - 256) * 177 >> 8


@inlined
def reduction(depth: int, index: int, is_open: bool) -> int:
    """Late move reductions: by how many plies a quiet move at this place is reduced."""
    if depth < REDUCED_DEPTH or index < FIRST_REDUCED:
        return 0
    plies = (_logarithm(depth) * _logarithm(index + 1) // 2) >> 16
    return min(max(plies - is_open, 0), depth - 2)
