"""What the board alone tells about a position: finished, won in one, impossible, or open.

Retrograde analysis starts by classifying every entry this way, and probing a table tries it first.
Each function handles a single position and is compiled for the CPU and, called from CUDA kernels,
for a GPU.
"""

from nestline.compiled import inlined
from nestline.kernel import (
    ONGOING,
    draw,
    in_reserve,
    landings,
    layer,
    placing_squares,
    popcount,
    squares_of,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.index import Index
from nestline.threats import HAS_LINE, NO_MOVE, winning_move


@inlined
def is_possible(own: int, opp: int, law: Law) -> bool:
    """Whether nested reserves allow these pieces on the board; loose ones allow everything."""
    if law.nested:
        for size in range(1, law.sizes):
            if popcount(layer(own, size)) > popcount(layer(own, size + 1)):
                return False
            if popcount(layer(opp, size)) > popcount(layer(opp, size + 1)):
                return False
    return True


@inlined
def classify(own: int, opp: int, law: Law, index: Index) -> int:
    """The entry as far as the board alone tells; else OPEN.

    It may be finished by a line, a full board or all pieces placed; or be a win in one by a line. A
    player without a move is left OPEN.
    """
    if law.nested and not is_possible(own, opp, law):
        return IMPOSSIBLE
    shown_own = visible(own, opp)
    shown_opp = squares_of(visible(opp, own))
    gaps = int(index.completing[squares_of(shown_own)])
    own_line = gaps & HAS_LINE
    if index.completing[shown_opp] & HAS_LINE and (law.mover_wins_both or not own_line):
        return FIRST_LOSS
    if own_line:
        return FIRST_WIN
    if draw(own, opp, law) != ONGOING:
        return DRAWN
    if gaps and (
        winning_move(own, opp, shown_own, shown_opp, gaps, law, index.completing) != NO_MOVE
    ):
        return WIN_IN_ONE
    return OPEN


@inlined
def is_stuck(own: int, opp: int, law: Law) -> bool:
    """Whether the player to move has no legal move: `kernel.count_moves` with an early exit."""
    placing = placing_squares(own, opp, law)
    for size in range(law.sizes, 0, -1):
        if layer(placing, size) and in_reserve(own, size, law):
            return False
    if law.moving:
        shown = visible(own, opp)
        free = landings(own, opp, law)
        for size in range(law.sizes, 0, -1):
            if layer(shown, size) and (law.same_square or layer(free, size)):
                return False
    return True
