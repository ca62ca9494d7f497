"""The byte that stores the value of a position in a tablebase, for the player to move.

OPEN (in the end a draw, since play can go on forever), IMPOSSIBLE, DRAWN (finished), or a win or a
loss in a number of plies.
"""

OPEN, IMPOSSIBLE, DRAWN, FIRST_WIN, FIRST_LOSS = range(5)
"""Win in d plies is FIRST_WIN + 2 * d, loss in d plies FIRST_LOSS + 2 * d."""

WIN_IN_ONE = FIRST_WIN + 2
MAX_DISTANCE = 125
"""The longest distance a byte can hold."""

VALUE_NAMES = {1: "win", 0: "draw", -1: "loss"}


def value_of(code: int) -> int:
    """1, 0 or -1 for an entry that is a win, a draw or a loss for the player to move."""
    if code < FIRST_WIN:
        return 0
    return 1 if code & 1 else -1


def distance_of(code: int) -> int | None:
    """The distance of an entry in plies; None for a draw that is not finished."""
    if code < FIRST_WIN:
        return 0 if code == DRAWN else None
    return (code - FIRST_WIN) // 2
