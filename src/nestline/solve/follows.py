"""What the entry of a position has to be, given the entries after each of its moves.

Only the kernel is relied on, so that the full check of a tablebase is independent of the solver.
"""

from nestline import kernel
from nestline.compiled import inlined
from nestline.rules.law import Law
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, OPEN

UNKNOWN = -1
"""In place of an entry while no move has been looked at."""


@inlined
def finished_entry(own: int, opp: int, law: Law) -> int:
    """The entry of a finished position; UNKNOWN if play goes on."""
    state = kernel.outcome(own, opp, law)
    verdict = kernel.verdict(state)
    if verdict != 0:
        return FIRST_LOSS if verdict > 0 else FIRST_WIN
    return UNKNOWN if state == kernel.ONGOING else DRAWN


@inlined
def with_move(best: int, after: int) -> int:
    """The entry that the moves so far give, and one more that leads to the entry `after`."""
    if after < FIRST_WIN:
        entry = OPEN
    elif after & 1:
        entry = after + (FIRST_LOSS - FIRST_WIN) + 2
    else:
        entry = after + (FIRST_WIN - FIRST_LOSS) + 2
    if best == UNKNOWN:
        return entry
    if best & 1 or entry & 1:
        # A win; the faster one, if both are.
        if best & 1 and entry & 1:
            return min(best, entry)
        return best if best & 1 else entry
    # A draw, which is OPEN, or the slower of two losses.
    return OPEN if best == OPEN or entry == OPEN else max(best, entry)
