"""Threats from a look-up table: the squares that complete a line, and a move that wins at once.

The kernel computes the table once for each rule set. Search, solver and proofs check every position
for a win in one; here that costs a few look-ups and no trial moves. Tests compare it with playing
every move. Like the kernel it compiles for the CPU and for a GPU.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined, rare
from nestline.rules.law import FORBIDDEN, IGNORED, Law

HAS_LINE = 1 << 16
"""Added to the squares of a mask that already has a full line."""

NO_MOVE = kernel.MAX_MOVES
"""A number that is not a move."""

Completing = NDArray[np.int32]
"""(2^squares,): for each mask of visible squares, those that complete a line when added, whatever
the sizes there. Where a line loses, all squares: a move that reveals one wins wherever it lands."""


@inlined
def fill_completing(completing: Completing, law: Law) -> None:
    """Fill the table of a rule set."""
    for mask in range(completing.shape[0]):
        completing[mask] = HAS_LINE if kernel.has_line(mask, law) else 0
        square = 1
        while square <= law.all_squares:
            if law.misere or kernel.has_line(mask | square, law):
                completing[mask] |= square
            square <<= 1


@lru_cache(maxsize=8)
def completing_squares(law: Law) -> Completing:
    """The table of a rule set."""
    completing = np.zeros(1 << (law.board * law.board), np.int32)
    fill_completing(completing, law)
    return completing


@inlined
def _winning_target(
    own: int, opp: int, origin: int, size: int, targets: int, own_squares: int, opp_squares: int,
    law: Law, completing: Completing,
) -> int:  # fmt: skip
    """The first target on which the piece lifted from `origin` wins; 0 if there is none."""
    own_left = own_squares ^ origin
    opp_left = opp_squares
    for lower in range(size - 1, 0, -1):
        if kernel.layer(own, lower) & origin:
            own_left |= origin
            break
        if kernel.layer(opp, lower) & origin:
            opp_left |= origin
            break
    landing: int = targets & completing[own_left]
    is_revealed = completing[opp_left] & HAS_LINE != 0
    if is_revealed and law.reveal == FORBIDDEN:
        return 0
    if law.mover_wins_both or not is_revealed:
        return landing & -landing
    # Lifting the piece reveals a line of the opponent's, on which it has to land.
    while landing:
        target = landing & -landing
        if completing[opp_left & ~target] & HAS_LINE == 0:
            return target
        landing ^= target
    return 0


@rare
def _winning_move_tried(own: int, opp: int, gaps: int, law: Law) -> int:
    """`winning_move` by playing the moves: where a line loses, needs certain sizes, or may be there
    before the move, so that a piece wins by returning to its square."""
    placing = kernel.placing_squares(own, opp, law) & (gaps * kernel.ONE_PER_LAYER)
    free = kernel.landings(own, opp, law) & (gaps * kernel.ONE_PER_LAYER)
    shown = kernel.movable(own, opp, law)
    for source in range(kernel.FIRST_BOARD_SOURCE + law.board * law.board):
        targets = kernel.targets_of(source, own, shown, free, placing, law)
        while targets:
            move = source * 16 + kernel.bit_index(targets & -targets)
            targets &= targets - 1
            if kernel.verdict(kernel.decision(opp, kernel.play(own, move), law)) > 0:
                return move
    return NO_MOVE


@inlined
def winning_move(
    own: int, opp: int, own_shown: int, opp_squares: int, gaps: int, law: Law,
    completing: Completing,
) -> int:  # fmt: skip
    """A move that wins at once by a line for the player to move, or `NO_MOVE`; the game goes on.

    `own_shown` are his visible pieces as a word, `gaps` the squares that complete a line of them,
    at least one; `opp_squares` is the mask of the opponent's visible pieces. The only square that a
    move newly shows is its target, so it can only win on one of the gaps.
    """
    if law.misere or law.line_sizes or (law.same_square and law.reveal == IGNORED):
        return _winning_move_tried(own, opp, gaps & law.all_squares, law)
    placing = kernel.placing_squares(own, opp, law)
    for size in range(law.sizes, 0, -1):
        targets = kernel.layer(placing, size) & gaps
        if targets and kernel.in_reserve(own, size, law):
            return (size - 1) * 16 + kernel.bit_index(targets & -targets)
    if law.moving:
        free = kernel.landings(own, opp, law)
        own_squares = kernel.squares_of(own_shown)
        for size in range(law.sizes, 0, -1):
            targets = kernel.layer(free, size) & gaps
            origins = kernel.layer(own_shown, size) if targets else 0
            while origins:
                origin = origins & -origins
                origins ^= origin
                target = _winning_target(
                    own, opp, origin, size, targets, own_squares, opp_squares, law, completing
                )
                if target:
                    source = kernel.FIRST_BOARD_SOURCE + kernel.bit_index(origin)
                    return source * 16 + kernel.bit_index(target)
    return NO_MOVE
