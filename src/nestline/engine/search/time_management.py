"""How much of a clock is spent on the next move.

>>> seconds_for_move(60.0, increment=1.0)
2.75
"""

MOVES_AHEAD = 30
"""Over how many moves a clock is shared out, unless it is known how many are to be played."""

PART_OF_INCREMENT = 0.75

RESERVE = 0.05
"""Seconds of the clock that are never planned with: the way through the pipe, and stopping."""

SHORTEST = 0.01
"""Seconds that are thought in any case, on however empty a clock."""


def seconds_for_move(clock: float, increment: float = 0.0, moves: int = MOVES_AHEAD) -> float:
    """The seconds to think about a move with so much time left for so many `moves`.

    `increment` is what the clock gains by each move.
    """
    share = clock / moves + increment * PART_OF_INCREMENT
    return max(min(share, clock - RESERVE), SHORTEST)
