"""What the board alone tells about a position: finished, won in one, impossible, or open.

Retrograde analysis starts by classifying every entry this way, and probing a tablebase tries it
first. Each function handles a single position and is compiled for the CPU and, called from CUDA
kernels, for a GPU.
"""

from typing import Protocol

from nestline.compiled import inlined, rare
from nestline.kernel import (
    ONGOING,
    draw,
    in_reserve,
    landings,
    layer,
    meaning_of_lines,
    movable,
    placing_squares,
    popcount,
    squares_of,
    verdict,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.threats import HAS_LINE, NO_MOVE, Completing, winning_move


class HasCompleting(Protocol):
    """An index of any kind with the table of `threats`."""

    @property
    def completing(self) -> Completing: ...


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


@rare
def _classify_lines(own: int, opp: int, law: Law) -> int:
    """The entry if lines have ended the game; else OPEN."""
    state = meaning_of_lines(own, opp, law)
    if state == ONGOING:
        return OPEN
    won = verdict(state)
    return FIRST_LOSS if won > 0 else FIRST_WIN if won < 0 else DRAWN


@inlined
def classify(own: int, opp: int, law: Law, index: HasCompleting) -> int:
    """The entry as far as the board alone tells; else OPEN.

    It may be finished by a line, a full board or all pieces placed; or be a win in one by a line. A
    player without a move is left OPEN.
    """
    if law.nested and not is_possible(own, opp, law):
        return IMPOSSIBLE
    shown_own = visible(own, opp)
    shown_opp = squares_of(visible(opp, own))
    gaps = int(index.completing[squares_of(shown_own)])
    if (gaps | index.completing[shown_opp]) & HAS_LINE:
        code = _classify_lines(own, opp, law)
        if code != OPEN:
            return code
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
        shown = movable(own, opp, law)
        free = landings(own, opp, law)
        for size in range(law.sizes, 0, -1):
            if layer(shown, size) and (law.same_square or layer(free, size)):
                return False
    return True
